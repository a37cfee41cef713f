import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DateRange } from './dates.js';
import { useEvents } from './use-events.js';

/** How often the page has gone to another address, back included. */
let steps = 0;
addEventListener('popstate', () => steps++);
// The browser would scroll before the view is there again; `useScroll` does it after.
history.scrollRestoration = 'manual';

/** Reads `#/day/101/2025-10-15?x=1`: a view, its parts, and its query. */
export function currentRoute() {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [view = '', ...parts] = path.split('/');
  return { view, parts, query: new URLSearchParams(query), step: steps };
}

export function useRoute() {
  const [route, setRoute] = useState(currentRoute);
  useEvents(['hashchange'], () => setRoute(currentRoute()));
  return route;
}

export const dayAddress = (id: string, date: string): string => `#/day/${id}/${date}`;

export const salesAddress = ({ from, to }: DateRange, ids: readonly string[] = []): string =>
  `#/sales${queryOf({ from, to, restaurants: ids.join() })}`;

/** Changes the query of the address, without an entry in the history. */
export function changeQuery(changes: Readonly<Record<string, string>>): void {
  const [path = ''] = location.hash.split('?');
  const query = { ...Object.fromEntries(currentRoute().query), ...changes };
  history.replaceState(history.state, '', (path || '#/') + queryOf(query));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes what has a value. Commas stay readable: an address is read by people too. */
export function queryOf(query: Query): string {
  const all = Object.entries(query).map(([name, value]) => [name, String(value ?? '')]);
  const filled = new URLSearchParams(all.filter(([, value]) => value !== ''));
  return filled.size === 0 ? '' : `?${filled.toString().replaceAll('%2C', ',')}`;
}

type Kept = Readonly<Record<string, unknown>> | null;

/** Keeps a value in the current entry of the browser's history. */
function keepInHistory(name: string, value: unknown): void {
  history.replaceState({ ...(history.state as Kept), [name]: value }, '');
}

const keptInHistory = (name: string): unknown => (history.state as Kept)?.[name];

/** A state that is there again when the user comes back to this entry of the history. */
export function useKept<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => (keptInHistory(name) as Value | undefined) ?? initial);
  const keep = (next: Value): void => {
    keepInHistory(name, next);
    setValue(next);
  };
  return [value, keep];
}

/** Returns the window to where it was scrolled to when the user was here before, else to the top. */
export function useScroll(step: number): void {
  const observer = useRef<ResizeObserver>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLayoutEffect(() => {
    const wanted = Number(keptInHistory('scroll') ?? 0);
    observer.current = new ResizeObserver((_entries, self) => {
      scrollTo(0, wanted);
      if (scrollY >= wanted) self.disconnect();
    });
    observer.current.observe(document.getElementById('main')!);
    return () => {
      observer.current?.disconnect();
      clearTimeout(timer.current);
    };
  }, [step]);
  useEvents(['wheel', 'touchmove', 'keydown'], () => observer.current?.disconnect());
  useEvents(['scroll'], () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => keepInHistory('scroll', scrollY), 100);
  });
}
