import { useEffect, useState } from 'preact/hooks';

export interface Loaded<Value> {
  /** The last value, also while the next is loading. */
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads a value whenever an input changes; results of earlier inputs are ignored. */
export function useLoad<Value>(load: () => Promise<Value>, inputs: readonly unknown[]): Loaded<Value> {
  const [state, setState] = useState<Omit<Loaded<Value>, 'reload'>>({
    value: undefined,
    error: undefined,
    isLoading: true,
  });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    setState(({ value }) => ({ value, error: undefined, isLoading: true }));
    load().then(
      (value) => isCurrent && setState({ value, error: undefined, isLoading: false }),
      (error: unknown) => isCurrent && setState({ value: undefined, error: errorText(error), isLoading: false }),
    );
    return () => {
      isCurrent = false;
    };
  }, [...inputs, attempt]);
  return { ...state, reload: () => setAttempt(attempt + 1) };
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
