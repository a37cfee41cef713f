import type { ComponentChildren } from 'preact';
import { useAction } from '../use-load.js';

interface FormProps {
  readonly label: string;
  /** Sends what was typed, by the names of the fields; a text that it resolves to is said. */
  readonly submit: (fields: Readonly<Record<string, string>>) => unknown;
  readonly children?: ComponentChildren;
}

/** Asks for a few texts, and says what came of sending them. */
export function Form({ label, submit, children }: FormProps) {
  const { isBusy, problem, done, act } = useAction();
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    await act(() => submit(Object.fromEntries(new FormData(form)) as Record<string, string>));
  };
  return (
    <form class="stack" onSubmit={(event) => void send(event)}>
      {children}
      <button disabled={isBusy}>{label}</button>
      <p role="alert">{problem}</p>
      <p role="status">{done}</p>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly fill: 'username' | 'current-password' | 'new-password' | 'one-time-code';
  readonly value?: string;
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
