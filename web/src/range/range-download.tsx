import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { download, toCsv } from '../download.js';
import type { Figures } from '../fields.js';
import type { Restaurant } from '../restaurants.js';
import { errorText } from '../use-load.js';
import { loadTotals, type DayTotals, type Range } from './range-data.js';

interface DownloadProps {
  readonly range: Range;
  readonly restaurants: readonly Restaurant[];
}

interface Row extends DayTotals {
  readonly restaurant: Restaurant;
}

const FORMATS = { CSV: ['text/csv', csvOf], JSON: ['application/json', jsonOf] } as const;

/** Downloads the totals of each restaurant and day, one request per restaurant. */
export function RangeDownload({ range, restaurants }: DownloadProps): JSX.Element {
  const { done, error, start, cancel } = useDownload({ range, restaurants });
  return (
    <div class="controls no-print">
      {(['CSV', 'JSON'] as const).map((format) => (
        <button key={format} type="button" disabled={done !== undefined} onClick={() => void start(format)}>
          Download {format}
        </button>
      ))}
      {done !== undefined && (
        <>
          <progress aria-label="Download" max={restaurants.length} value={done} />
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        </>
      )}
      <p role="alert">{error}</p>
    </div>
  );
}

/** `done` counts the restaurants of a download that is running. */
function useDownload({ range, restaurants }: DownloadProps) {
  const [done, setDone] = useState<number>();
  const [error, setError] = useState('');
  const isCancelled = useRef(false);
  const cancel = (): void => void (isCancelled.current = true);
  useEffect(() => cancel, []);
  const start = async (format: keyof typeof FORMATS): Promise<void> => {
    isCancelled.current = false;
    setError('');
    try {
      const rows = await loadRows(range, restaurants, (count) => (setDone(count), !isCancelled.current));
      const [type, textOf] = FORMATS[format];
      if (rows) download(`sales-${range.from}-${range.to}.${format.toLowerCase()}`, type, textOf(rows));
    } catch (reason) {
      setError(errorText(reason));
    }
    setDone(undefined);
  };
  return { done, error, start, cancel };
}

/** Reports progress after each restaurant, which says whether to go on; undefined if not. */
async function loadRows(
  range: Range,
  restaurants: readonly Restaurant[],
  progress: (count: number) => boolean,
): Promise<Row[] | undefined> {
  const rows: Row[] = [];
  for (const [index, restaurant] of restaurants.entries()) {
    if (!progress(index)) return undefined;
    const days = await loadTotals([restaurant.restaurant_id], range);
    rows.push(...days.filter(({ hours }) => hours !== '0').map((day) => ({ ...day, restaurant })));
  }
  return rows;
}

function csvOf(rows: readonly Row[]): string {
  const fields = Object.keys(rows[0]?.totals ?? {});
  const header = ['restaurant_id', 'name', 'date', 'hours', ...fields];
  const lines = rows.map(({ restaurant, date, hours, totals }) => {
    const figures: Figures = totals;
    return [restaurant.restaurant_id, restaurant.name, date, hours, ...fields.map((field) => figures[field] ?? '')];
  });
  return toCsv(header, lines);
}

/** The digits are those of the service, which JSON.stringify would quote. */
function jsonOf(rows: readonly Row[]): string {
  const lines = rows.map(({ restaurant: { restaurant_id, name }, date, hours, totals }) => {
    const figures = Object.entries(totals).map(([field, digits]) => `"${field}":${digits}`);
    return `{"restaurant_id":${restaurant_id},"name":${JSON.stringify(name)},"date":"${date}","hours":${hours},${figures.join()}}`;
  });
  return `[\n${lines.join(',\n')}\n]\n`;
}
