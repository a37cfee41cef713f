import { isPeriod, rangeOfPeriod } from './data/periods.js';
import { copied } from './export/csv.js';
import { queryOf, useRoute } from './route.js';
import { useAction } from './use-load.js';
import { VIEWS } from './views.js';

/** Copies the address of the view; a period that has a name, or none, becomes its days. */
export function CopyLink({ today }: { today: string }) {
  const { view, parts, query } = useRoute();
  const { done, act } = useAction();
  const asked = { ...Object.fromEntries(query), ...fixedDays(view, query, today) };
  const path = [view, ...parts].join('/');
  const link = `${location.origin}${location.pathname}#/${path}${queryOf(asked)}`;
  return (
    <>
      <button type="button" class="link" onClick={() => void act(() => copied(link))}>
        Copy link to this view
      </button>
      <span role="status">{done}</span>
    </>
  );
}

/** The days that a view shows where its address does not name them: tomorrow they would be others. */
function fixedDays(view: string, query: URLSearchParams, today: string): Record<string, string> {
  if (query.has('from') || query.has('to')) return {};
  if (view === 'days') return { to: today };
  const usual = VIEWS.find(({ address }) => address === view)?.usual;
  const named = query.get('period');
  return usual ? { ...rangeOfPeriod(isPeriod(named) ? named : usual, today), period: '' } : {};
}
