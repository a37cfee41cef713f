import type { ComponentChildren, TargetedMouseEvent } from 'preact';

export type ButtonEvent = TargetedMouseEvent<HTMLButtonElement>;

interface ButtonProps {
  /** What a click does; a promise that it returns is not waited for. */
  readonly act: (event: ButtonEvent) => unknown;
  readonly class?: string;
  readonly isOff?: boolean;
  readonly children: ComponentChildren;
}

/** A button that acts by itself: one of HTML alone would send the form around it. */
export function Button({ act, class: style, isOff, children }: ButtonProps) {
  return (
    <button type="button" class={style} disabled={isOff} onClick={(event) => void act(event)}>
      {children}
    </button>
  );
}
