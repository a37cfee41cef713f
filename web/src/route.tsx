import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DateRange } from './dates.js';

/** Reads `#/day/101/2025-10-15?x=1`: a view, its parts, and its query. */
export function currentRoute() {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [view = '', ...parts] = path.split('/');
  return { view, parts, query: new URLSearchParams(query) };
}

export function useRoute() {
  const [route, setRoute] = useState(currentRoute);
  // useEffect would miss a change of the address between the first rendering and the next frame.
  useLayoutEffect(() => {
    const update = (): void => setRoute(currentRoute());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return route;
}

export const dayAddress = (id: string, date: string): string => `#/day/${id}/${date}`;

export const rangeAddress = ({ from, to }: DateRange, ids: readonly string[] = []): string =>
  `#/range${queryOf({ from, to, restaurants: ids.join() })}`;

/** Replaces the query of the address, without an entry in the history. */
export function replaceQuery(view: string, query: Readonly<Record<string, string>>): void {
  history.replaceState(null, '', `#/${view}${queryOf(query)}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

function queryOf(query: Readonly<Record<string, string>>): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  return filled.length > 0 ? `?${new URLSearchParams(filled).toString()}` : '';
}

/** Shows the heading of a view, names the window, and takes the focus for screen readers. */
export function Heading({ text }: { text: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${text} · Hourly sales`;
    heading.current?.focus({ preventScroll: true });
  }, [text]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {text}
    </h1>
  );
}
