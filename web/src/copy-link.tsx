import { useState } from 'preact/hooks';
import { isPeriod, type Period, rangeOfPeriod, USUAL_PERIODS } from './data/selection.js';
import { queryOf, useRoute } from './route.js';

/** Copies the address of the view; a period that has a name, or none, becomes its days. */
export function CopyLink({ today }: { today: string }) {
  const { view, parts, query } = useRoute();
  const [done, setDone] = useState('');
  const copy = async (): Promise<void> => {
    const asked = Object.fromEntries(query);
    const fixed = fixedDays(view, query, today);
    const path = [view, ...parts].join('/');
    const link = `${location.origin}${location.pathname}#/${path}${queryOf({ ...asked, ...fixed })}`;
    const isCopied = await navigator.clipboard.writeText(link).then(
      () => true,
      () => false,
    );
    setDone(isCopied ? 'Copied.' : `This browser does not let the page copy: ${link}`);
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
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
  const usual = (USUAL_PERIODS as Readonly<Record<string, Period>>)[view];
  const named = query.get('period');
  const period = usual && isPeriod(named) ? named : usual;
  return period ? { ...rangeOfPeriod(period, today), period: '' } : {};
}
