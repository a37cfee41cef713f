import { MAX_NAMED_RESTAURANTS } from '../../../src/sales/reports/report-limits.js';
import type { DateRange } from '../dates.js';
import {
  type Comparison,
  COMPARISONS,
  isPeriod,
  type Period,
  problemOf,
  rangeBefore,
  rangeOfPeriod,
  usualComparison,
} from './periods.js';

/** What a view is about, as its address says. */
export type Selection = ReturnType<typeof selectionOf>;

/** Reads the selection of an address; named periods end yesterday unless `end` is given. */
export function selectionOf(
  query: URLSearchParams,
  { today, known }: { today: string; known: Pick<ReadonlySet<string>, 'has'> },
  usual: Period,
  end?: string,
) {
  const own = rangeIn(query, '');
  const named = query.get('period');
  const period = isPeriod(named) && !own ? named : usual;
  const ownProblem = own && problemOf(own);
  const isOwn = own && ownProblem === undefined;
  const range = isOwn ? own : rangeOfPeriod(period, today, end);
  const asked = query.get('compare') ?? '';
  const ownBefore = rangeIn(query, 'before_');
  const isBefore = ownBefore && problemOf(ownBefore) === undefined;
  const comparison = isBefore ? undefined : comparisonOf(asked, range);
  const chosen = [...new Set((query.get('restaurants') ?? '').split(',').filter(Boolean))];
  const ids = chosen.filter((id) => known.has(id));
  const isTooMany = ids.length > MAX_NAMED_RESTAURANTS;
  return {
    range,
    period: isOwn ? undefined : period,
    comparison,
    before: comparison ? rangeBefore(range, comparison) : ownBefore,
    /** The restaurants' identifiers; none if the view is about all of them. */
    ids,
    /** Identifiers of the address that this account may not see. */
    unknown: chosen.filter((id) => !known.has(id)),
    /** Whether the address names restaurants, and none of them can be shown. */
    isEmpty: isTooMany || (chosen.length > 0 && ids.length === 0),
    /** Why the address cannot be shown as it is, in words. */
    problem: isTooMany
      ? `A view shows all restaurants or at most ${MAX_NAMED_RESTAURANTS} chosen ones; these are ${ids.length}.`
      : ownProblem && `${ownProblem} Shown instead: the usual period of this view.`,
  };
}

/** A range of the address; one day stands for both. */
function rangeIn(query: URLSearchParams, prefix: string): DateRange | undefined {
  const [from, to] = [query.get(`${prefix}from`), query.get(`${prefix}to`)];
  return (from ?? to) ? { from: from ?? to!, to: to ?? from! } : undefined;
}

const comparisonOf = (asked: string, range: DateRange): Comparison =>
  Object.hasOwn(COMPARISONS, asked) ? (asked as Comparison) : usualComparison(range);
