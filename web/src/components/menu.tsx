import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

interface MenuProps {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/**
 * A button that opens a panel below it. What is in the panel is rendered while it is open: a view may
 * have a hundred menus of a thousand restaurants.
 */
export function Menu({ label, value, children, class: style = 'pill' }: MenuProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="menu">
      <button type="button" class={style} popovertarget={id}>
        <span class="menu-label">{label}</span> <span class="cut">{value}</span>
      </button>
      <div
        id={id}
        class="panel"
        popover="auto"
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && children}
      </div>
    </div>
  );
}

/** Closes the menu of an event in its panel. */
export const closeMenu = ({ currentTarget }: { readonly currentTarget: Element }): void =>
  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
