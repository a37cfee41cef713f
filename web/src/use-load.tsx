import { useEffect, useRef, useState } from 'preact/hooks';
import { isPassing } from './api/service.js';

export interface Loaded<Value> {
  /** The last value is kept while the next is loading and after it could not be loaded. */
  readonly value?: Value;
  readonly error?: unknown;
  /** When the value was loaded, in milliseconds. */
  readonly at?: number;
  /** Loads again, in place of what is being loaded. */
  readonly reload: () => void;
  /** Loads again unless something is being loaded: a slow answer is waited for. */
  readonly refresh: () => void;
}

/** Seconds between attempts; the last one is repeated. */
const RETRY_SECONDS = [2, 5, 10, 20, 30];

/** Loads a value whenever an input changes; the signal ends what was begun for earlier inputs. */
export function useLoad<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; error?: unknown; at?: number }>({});
  const [attempt, setAttempt] = useState(0);
  const [failures, setFailures] = useState(0);
  const isLoading = useRef(false);
  const reload = (): void => setAttempt((before) => before + 1);
  const refresh = (): void => {
    if (!isLoading.current) reload();
  };
  useEffect(() => {
    isLoading.current = true;
    const ending = new AbortController();
    const { signal } = ending;
    load(signal).then(
      (value) => {
        if (signal.aborted) return;
        isLoading.current = false;
        setFailures(0);
        setState({ value, at: Date.now() });
      },
      (error: unknown) => {
        if (signal.aborted) return;
        isLoading.current = false;
        setFailures((before) => before + 1);
        setState((before) => ({ ...before, error }));
      },
    );
    return () => ending.abort();
  }, [...inputs, attempt]);
  const isRetried = state.error !== undefined && isPassing(state.error);
  const seconds = RETRY_SECONDS[Math.min(failures, RETRY_SECONDS.length) - 1];
  useWhenInFront(refresh, isRetried, seconds && seconds * 1000);
  return { ...state, reload, refresh };
}

/** Acts when the browser is online again, the page comes to the front, and then every `everyMs`. */
export function useWhenInFront(act: () => void, isWanted: boolean, everyMs?: number): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const actInFront = (): void => {
      if (document.visibilityState === 'visible') act();
    };
    addEventListener('online', actInFront);
    addEventListener('signed-in', actInFront);
    document.addEventListener('visibilitychange', actInFront);
    const timer = everyMs && setInterval(actInFront, everyMs);
    return () => {
      removeEventListener('online', actInFront);
      removeEventListener('signed-in', actInFront);
      document.removeEventListener('visibilitychange', actInFront);
      clearInterval(timer);
    };
  }, [isWanted, everyMs]);
}

/** Says that something is loading, or why it did not load; it tries again by itself and on a click. */
export function Progress({ of: { value, error, reload } }: { readonly of: Loaded<unknown> }) {
  if (error === undefined)
    return value === undefined ? (
      <p class="loading" role="status">
        Loading…
      </p>
    ) : null;
  return (
    <div class="notice" role="alert">
      <p>
        {errorText(error)} {isPassing(error) && 'The page tries again by itself.'}{' '}
        {value !== undefined && 'What is shown is from before.'}
      </p>
      <button type="button" onClick={reload}>
        Try again
      </button>
    </div>
  );
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
