import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAction } from '../use-action.js';

interface FormProps {
  readonly label: string;
  /** Sends what was typed, by the names of the fields; a text that it resolves to is said. */
  readonly submit: (fields: Readonly<Record<string, string>>) => unknown;
  /** Whether it is what the page is for now: the focus waits where something is to be typed. */
  readonly isFirst?: boolean;
  readonly children?: ComponentChildren;
}

/** Asks for a few texts, and says what came of sending them. */
export function Form({ label, submit, isFirst = false, children }: FormProps) {
  const { isBusy, problem, done, act } = useAction();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const inputs = [...form.current!.querySelectorAll('input')];
    if (isFirst && !isBusy) (inputs.find(({ value }) => value === '') ?? inputs.at(-1)!).focus();
  }, [isBusy]);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const typed = Object.fromEntries(new FormData(form.current!)) as Record<string, string>;
    void act(() => submit(typed));
  };
  return (
    <form ref={form} class="stack" onSubmit={send}>
      {children}
      <button class={isFirst ? 'primary' : ''} disabled={isBusy}>
        {label}
      </button>
      <p role="alert">{problem}</p>
      <p role="status">{done}</p>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly fill: 'username' | 'current-password' | 'new-password' | 'one-time-code';
  readonly value?: string | undefined;
}

export function Field({ name, label, fill, value = '' }: FieldProps) {
  const type = fill.endsWith('password') ? { type: 'password' as const } : {};
  return (
    <label>
      {label}
      <input
        {...type}
        name={name}
        autocapitalize="none"
        autocomplete={fill}
        defaultValue={value}
        required
      />
    </label>
  );
}
