import { useAccount } from '../account.js';
import { amountText, countText, numberText } from '../amounts.js';
import type { Sums } from '../api/shapes.js';
import type { Compared } from '../data/compare.js';
import { countDays, type DateRange, rangeText, timeText } from '../dates.js';
import { isOneBase } from './sales-tiles.js';

interface AlikeNoteProps {
  readonly compared: Compared;
  readonly range: DateRange;
  readonly before: DateRange | undefined;
  /** When the figures were read, in milliseconds. */
  readonly at?: number | undefined;
}

/** Says which restaurants the sums and the changes are about, and what is missing in them. */
export function AlikeNote({ compared, range, before, at }: AlikeNoteProps) {
  const { today, timeZone } = useAccount();
  const { all, sent, rows } = compared;
  const missing = Number(all.missing_hours);
  return (
    <p class="note">
      The sums are those of{' '}
      {sent === rows.length
        ? countText(sent, 'restaurant')
        : `${numberText(sent)} of ${countText(rows.length, 'restaurant')}`}
      {` that sent ${countText(Number(all.hours), 'hour')}`}
      {missing > 0 &&
        `; ${numberText(missing)} of ${numberText(all.expected_hours)} expected hours are ${range.to < today ? 'missing' : 'missing or still to come'}`}
      . {before && comparisonText(compared, range, before)}
      {at !== undefined && ` As of ${timeText(at, timeZone)}.`}
    </p>
  );
}

function comparisonText(compared: Compared, range: DateRange, before: DateRange): string {
  const { alike, alikeBefore, alikeCount, sent, sentBefore, all, allBefore, rows } = compared;
  const days = `${rangeText(range)} with ${rangeText(before)}`;
  if (!alike || !alikeBefore) {
    if (sent === 0 || sentBefore === 0)
      return `Nothing is compared: no sales of ${rangeText(sent === 0 ? range : before)}.`;
    const share = ({ hours, missing_hours: missing, expected_hours: expected }: Sums): string =>
      `${numberText(hours)} hours sent, ${numberText(missing)} of ${numberText(expected)} expected ones missing`;
    if (rows.some(({ unlike }) => unlike === 'opening'))
      return `Nothing is compared. ${leftOut(rows)}`;
    return `Nothing is compared: no restaurant sent all of both periods (${rangeText(range)}: ${share(all)}; ${rangeText(before)}: ${share(allBefore!)}).`;
  }
  const extent =
    countDays(range) === 1 && countDays(before) === 1
      ? 'both days in full'
      : `at least 98% of ${alikeCount === 1 ? 'its' : 'their'} hours in both`;
  if (isOneBase(compared)) return `Changes compare ${days}.`;
  return (
    `Changes compare ${days}, like for like: ${countText(alikeCount, 'restaurant')} that sent ${extent}, ` +
    `turnover ${amountText(alike.totals['gto'] ?? '0')}, was ${amountText(alikeBefore.totals['gto'] ?? '0')}. ${leftOut(rows)}`
  ).trimEnd();
}

/** Says which restaurants sent all of both periods, and are not compared all the same. */
function leftOut(rows: Compared['rows']): string {
  const count = rows.filter(({ unlike }) => unlike === 'opening').length;
  if (count === 0) return '';
  const [are, their] = count === 1 ? ['is', 'its'] : ['are', 'their'];
  return `${countText(count, 'restaurant')} ${are} left out: closures, or the time before ${their} first day, take more of one period than of the other.`;
}
