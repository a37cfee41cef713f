import { readPages } from '../api/service.js';
import type { MissingResponse, RestaurantSums } from '../api/shapes.js';
import { loadTotals } from '../data/totals.js';
import { addDays } from '../dates.js';
import { hoursText } from '../fields.js';

type Missing = MissingResponse['missing'][number];
type Known = 'restaurant_id' | 'name' | 'since' | 'missing_days' | 'last_sent';

/** A restaurant of which something is missing yesterday, or that sold nothing. */
export interface Gap extends Pick<Missing, Known> {
  readonly status: Missing['status'] | 'zeros';
  readonly text: string;
}

export type Today = Awaited<ReturnType<typeof loadToday>>;

/** Reads what happened yesterday; without the list, sums of all restaurants alone. */
export async function loadToday(today: string, isListed: boolean, signal: AbortSignal) {
  const ago = (days: number) => addDays(today, -days);
  const day = { from: ago(1), to: ago(1) };
  const [pages, totals, week] = await Promise.all([
    readPages<MissingResponse>('/api/v1/sales/missing', day, { signal }),
    loadTotals(
      { range: day, before: { from: ago(8), to: ago(8) }, by: [isListed ? 'restaurant' : 'date'], fields: ['gto', 'orders', 'pax', 'discount'] }, // prettier-ignore
      signal,
    ),
    loadTotals(
      { range: { from: ago(7), to: ago(1) }, before: { from: ago(14), to: ago(8) }, by: ['date'], fields: ['gto'] }, // prettier-ignore
      signal,
    ),
  ]);
  const missing = pages.flatMap((page) => page.missing).map(gapOf);
  const sent = isListed ? totals.restaurants : [];
  const zeros = sent.filter(hasSoldNothing).map((line) => zerosOf(line, ago(1)));
  const expected = Number(pages[0]!.expected_restaurants);
  return { yesterday: ago(1), expected, gaps: [...missing, ...zeros], totals, week };
}

const gapOf = (entry: Missing): Gap => ({
  ...entry,
  text: entry.status === 'partial' ? hoursText(entry.missing_hours) : 'everything',
});

/** Tills whose end of the day failed send a day of zeros. */
const hasSoldNothing = (line: RestaurantSums): boolean =>
  Number(line.expected_hours) > 0 && line.missing_hours === '0' && line.totals.gto === '0';

const zerosOf = (line: RestaurantSums, date: string): Gap => ({
  ...{ ...line, status: 'zeros', since: date, missing_days: '0' },
  text: 'sent, but nothing sold',
});
