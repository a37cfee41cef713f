import { useLayoutEffect, useRef } from 'preact/hooks';

declare global {
  interface WindowEventMap {
    /** A person has signed in again, and goes on with the view. */
    'signed-in': Event;
    visibilitychange: Event;
  }
}

/** Calls back at events of the window; a layout effect misses none between rendering and drawing. */
export function useEvents<Name extends keyof WindowEventMap>(
  names: readonly Name[],
  act: (event: WindowEventMap[Name]) => void,
): void {
  const latest = useRef(act);
  latest.current = act;
  useLayoutEffect(() => {
    const ending = new AbortController();
    for (const name of names)
      addEventListener(name, (event) => latest.current(event), { signal: ending.signal });
    return () => ending.abort();
  }, []);
}
