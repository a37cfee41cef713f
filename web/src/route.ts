import { useLayoutEffect, useState } from 'preact/hooks';

/** `#/day/101/2025-10-15?x=1`: a view, its parts, and its query. */
export interface Route {
  readonly view: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export function currentRoute(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [view = '', ...parts] = path.split('/');
  return { view, parts, query: new URLSearchParams(query) };
}

export function useRoute(): Route {
  const [route, setRoute] = useState(currentRoute);
  // useEffect would miss a change of the address between the first rendering and the next frame
  useLayoutEffect(() => {
    const update = (): void => setRoute(currentRoute());
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return route;
}

export function dayAddress(restaurantId: number | string, date: string): string {
  return `#/day/${restaurantId}/${date}`;
}

/** Replaces the query of the address, without an entry in the history. */
export function replaceQuery(view: string, query: Readonly<Record<string, string>>): void {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  history.replaceState(null, '', `#/${view}?${new URLSearchParams(filled).toString()}`);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
