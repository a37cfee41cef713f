import { useEffect, useState } from 'preact/hooks';

export interface Loaded<Value> {
  /** The last value is kept while the next is loading and after it could not be loaded. */
  readonly value?: Value;
  readonly error?: string;
  readonly reload: () => void;
}

/** Loads a value whenever an input changes; results of earlier inputs are ignored. */
export function useLoad<Value>(
  load: () => Promise<Value>,
  inputs: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; error?: string }>({});
  const [attempt, setAttempt] = useState(0);
  const reload = (): void => setAttempt((before) => before + 1);
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (value) => isCurrent && setState({ value }),
      (reason: unknown) =>
        isCurrent && setState((before) => ({ ...before, error: errorText(reason) })),
    );
    return () => {
      isCurrent = false;
    };
  }, [...inputs, attempt]);
  useWhenInFront(reload, state.error !== undefined);
  return { ...state, reload };
}

/** Acts when the browser is online again, the page comes to the front, and then every `everyMs`. */
export function useWhenInFront(act: () => void, isWanted: boolean, everyMs?: number): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const actInFront = (): void => {
      if (document.visibilityState === 'visible') act();
    };
    addEventListener('online', actInFront);
    document.addEventListener('visibilitychange', actInFront);
    const timer = everyMs && setInterval(actInFront, everyMs);
    return () => {
      removeEventListener('online', actInFront);
      document.removeEventListener('visibilitychange', actInFront);
      clearInterval(timer);
    };
  }, [isWanted]);
}

/** Says that something is loading, or why it did not load, and lets the user try again. */
export function Progress({ of: { value, error, reload } }: { readonly of: Loaded<unknown> }) {
  if (error === undefined) return value === undefined ? <p role="status">Loading…</p> : null;
  return (
    <p role="alert">
      {error}{' '}
      <button type="button" onClick={reload}>
        Try again
      </button>
    </p>
  );
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
