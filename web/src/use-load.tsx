import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isPassing } from './api/service.js';
import { Button } from './components/button.js';
import { Notice } from './components/card.js';
import { errorText } from './use-action.js';
import { useEvents } from './use-events.js';

/** A value with the time of its loading, in milliseconds. */
interface Held<Value> {
  readonly value: Value;
  readonly at: number;
}

export interface Loaded<Value> extends Partial<Held<Value>> {
  /** Whether the value is that of earlier inputs, while the next one is loading. */
  readonly isOld: boolean;
  readonly error?: unknown;
  /** Loads again, in place of what is being loaded. */
  readonly reload: () => void;
}

/** Seconds between attempts; the last one is repeated. */
const RETRY_SECONDS = [2, 5, 10, 20, 30];

/** The last values of views that were left, for who comes back to them. */
const held = new Map<string, Held<unknown>>();
const MAX_HELD = 12;

export const forgetLoaded = (): void => held.clear();

/**
 * Loads a value whenever an input changes, and every `everyMs` while the page is in front; the signal
 * ends what was begun for earlier inputs. Under a name it is held when its view is left, and shown at
 * once when the user comes back.
 */
export function useLoad<Value>(
  load: ((signal: AbortSignal) => Promise<Value>) | undefined,
  inputs: readonly (string | number | undefined)[],
  name?: string,
  everyMs?: number,
): Loaded<Value> {
  const key = [name, ...inputs].join(' ');
  const kept = name === undefined ? undefined : (held.get(key) as Held<Value> | undefined);
  const [state, setState] = useState({ key, held: kept, error: undefined as unknown, failures: 0 });
  const [attempt, setAttempt] = useState(0);
  const isLoading = useRef(false);
  const reload = (): void => setAttempt((before) => before + 1);
  useEffect(() => {
    if (!load) return undefined;
    isLoading.current = true;
    const ending = new AbortController();
    const { signal } = ending;
    const end = (change: (before: typeof state) => typeof state): void => {
      if (signal.aborted) return;
      isLoading.current = false;
      setState(change);
    };
    load(signal).then(
      (value) =>
        end(() => {
          const next = { value, at: Date.now() };
          if (name !== undefined) {
            held.delete(key);
            held.set(key, next);
            if (held.size > MAX_HELD) held.delete(held.keys().next().value!);
          }
          return { key, held: next, error: undefined, failures: 0 };
        }),
      (error: unknown) => {
        end((before) => ({ ...before, error, failures: before.failures + 1 }));
        ending.abort(); // what else was begun would hold up the next attempt
      },
    );
    return () => ending.abort();
  }, [key, attempt]);
  const { failures, error } = state;
  const seconds = RETRY_SECONDS[Math.min(failures, RETRY_SECONDS.length) - 1];
  const retryMs = seconds && isPassing(error) ? seconds * 1000 : undefined;
  // A slow answer is waited for.
  useWhenInFront(() => isLoading.current || reload(), retryMs ?? everyMs);
  const shown = state.key === key ? state.held : (kept ?? state.held);
  const isOld = shown !== undefined && state.key !== key && shown !== kept;
  return { ...shown, isOld, error, reload };
}

/** Acts every so many milliseconds, when the browser is online again, and when the page comes to the front. */
function useWhenInFront(act: () => unknown, everyMs: number | undefined): void {
  const actInFront = (): void => {
    if (everyMs !== undefined && document.visibilityState === 'visible') act();
  };
  const latest = useRef(actInFront);
  latest.current = actInFront;
  useEvents(['online', 'signed-in', 'visibilitychange'], actInFront);
  useEffect(() => {
    const timer = everyMs && setInterval(() => latest.current(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}

interface ShowProps<Value> {
  readonly of: Loaded<Value>;
  /** How high what is shown will be, in pixels. */
  readonly height?: number;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows what was loaded, pale while it is that of earlier inputs; before, a place as high as it. */
export function Show<Value>({ of, height = 0, children }: ShowProps<Value>) {
  const { value, error, isOld } = of;
  return (
    <>
      <Problem of={of} />
      {value === undefined && error === undefined && (
        <p class="notice note" role="status" style={{ minHeight: `${height}px` }}>
          Loading…
        </p>
      )}
      {value !== undefined && (
        <div class="shown" aria-busy={isOld}>
          {children(value)}
        </div>
      )}
    </>
  );
}

/** Says why something did not load; the page tries again by itself and on a click. */
function Problem({ of: { value, error, reload } }: { readonly of: Loaded<unknown> }) {
  if (error === undefined) return null;
  return (
    <Notice role="alert" actions={<Button act={reload}>Try again</Button>}>
      {errorText(error)} {isPassing(error) && 'The page tries again by itself.'}{' '}
      {value !== undefined && 'What is shown is from before.'}
    </Notice>
  );
}
