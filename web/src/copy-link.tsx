import { useState } from 'preact/hooks';
import { isPeriod, rangeOfPeriod } from './data/selection.js';
import { queryOf, useRoute } from './route.js';

/** Copies the address of the view; a period that has a name becomes its days. */
export function CopyLink({ today }: { today: string }) {
  const { view, parts, query } = useRoute();
  const [done, setDone] = useState('');
  const named = query.get('period');
  const copy = async (): Promise<void> => {
    const asked = Object.fromEntries(query);
    const fixed = isPeriod(named) ? { ...rangeOfPeriod(named, today), period: '' } : {};
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
