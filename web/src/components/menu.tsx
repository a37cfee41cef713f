import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface MenuProps {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/**
 * A button that opens a panel below it; a click elsewhere, Escape or a choice closes it. What is in
 * the panel is rendered while it is open: a view may have a hundred menus of a thousand restaurants.
 */
export function Menu({ label, value, children, class: style = 'pill' }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const close = (event: Event): void => {
      const { current } = menu;
      if (!current?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        current.querySelector('summary')?.focus();
      } else if (event.target instanceof Node && current.contains(event.target)) return;
      current.open = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    addEventListener('hashchange', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
      removeEventListener('hashchange', close);
    };
  }, []);
  return (
    <details
      ref={menu}
      class={`menu ${style}`}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        place(currentTarget);
      }}
    >
      <summary>
        <span class="menu-label">{label}</span> <span class="cut">{value}</span>
      </summary>
      <div class="panel">{isOpen && children}</div>
    </details>
  );
}

/** Lets the panel of a menu in the right half of the window grow to the left. */
function place(menu: HTMLDetailsElement): void {
  const { left, right } = menu.getBoundingClientRect();
  menu.classList.toggle('to-left', (left + right) / 2 > innerWidth / 2);
}

/** Closes the menu in which an element is. */
export function closeMenu(element: EventTarget | null): void {
  const menu = element instanceof Element ? element.closest('details') : null;
  if (!menu) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
}
