import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useEvents } from '../use-events.js';

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
  useEvents(['pointerdown', 'keydown', 'hashchange'], (event) => {
    const isInside = event.target instanceof Node && menu.current!.contains(event.target);
    if (event instanceof KeyboardEvent ? event.key === 'Escape' : !isInside)
      closeMenu(menu.current);
  });
  return (
    <details
      ref={menu}
      class={`menu ${style}`}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        // In the right half of the window, the panel grows to the left.
        const { left, right } = currentTarget.getBoundingClientRect();
        currentTarget.classList.toggle('to-left', (left + right) / 2 > innerWidth / 2);
      }}
    >
      <summary>
        <span class="menu-label">{label}</span> <span class="cut">{value}</span>
      </summary>
      <div class="panel">{isOpen && children}</div>
    </details>
  );
}

/** Closes the menu in which an element is. */
export function closeMenu(element: EventTarget | null): void {
  const menu = element instanceof Element ? element.closest('details') : null;
  if (!menu?.open) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
}
