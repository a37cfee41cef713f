import type { ComponentChildren } from 'preact';
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

export const salesAddress = ({ from, to }: DateRange, ids: readonly string[] = []): string =>
  `#/sales${queryOf({ from, to, restaurants: ids.join() })}`;

/** Replaces the query of the address, without an entry in the history. */
export function replaceQuery(view: string, query: Readonly<Record<string, string>>): void {
  history.replaceState(null, '', `#/${view}${queryOf(query)}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Commas stay readable: an address is read by people too. */
export function queryOf(query: Readonly<Record<string, string>>): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  if (filled.length === 0) return '';
  return `?${new URLSearchParams(filled).toString().replaceAll('%2C', ',')}`;
}

interface HeadingProps {
  readonly text: string;
  /** What the view is about, in words. */
  readonly children?: ComponentChildren;
  /** Controls beside the heading. */
  readonly controls?: ComponentChildren;
}

/** Shows the heading of a view, names the window, and takes the focus for screen readers. */
export function Heading({ text, children, controls }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${text} · Hourly Sales`;
    heading.current?.focus({ preventScroll: true });
  }, [text]);
  return (
    <div class="heading">
      <div>
        <h1 ref={heading} tabIndex={-1} title={text}>
          {text}
        </h1>
        {children && <p class="sub">{children}</p>}
      </div>
      {controls && <div class="controls no-print">{controls}</div>}
    </div>
  );
}
