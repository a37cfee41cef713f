import type { ComponentChildren, TargetedMouseEvent } from 'preact';
import { useAction } from '../use-action.js';

export type ButtonEvent = TargetedMouseEvent<HTMLButtonElement>;

interface ButtonProps {
  /** What a click does; of a promise, the text that it resolves to is said, or why it failed. */
  readonly act: (event: ButtonEvent) => unknown;
  readonly class?: string;
  readonly isOff?: boolean;
  readonly children: ComponentChildren;
}

/** A button that acts by itself: one of HTML alone would send the form around it. */
export function Button({ act, class: style, isOff, children }: ButtonProps) {
  const { problem, done, act: wait } = useAction();
  const click = (event: ButtonEvent): void => {
    const result = act(event);
    if (result instanceof Promise) void wait(() => result);
  };
  return (
    <>
      <button type="button" class={style} disabled={isOff} onClick={click}>
        {children}
      </button>
      {problem && <span role="alert">{problem}</span>}
      {done && <span role="status">{done}</span>}
    </>
  );
}
