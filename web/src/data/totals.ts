import { addDecimals } from '../amounts.js';
import { read } from '../api/service.js';
import type { HourSums, Sums, TotalsResponse } from '../api/shapes.js';
import type { DateRange } from '../dates.js';
import { type Field, figuresOf, HOURS } from '../fields.js';

/** The lists that a response of totals may have, one for each grouping that is asked for. */
export type Grouping = 'date' | 'week' | 'month' | 'restaurant' | 'hour' | 'weekday_hour';

interface Asked {
  readonly range: DateRange;
  /** A second period, of the same moment. */
  readonly before?: DateRange | undefined;
  readonly ids?: readonly string[];
  readonly by: readonly Grouping[];
  readonly fields?: readonly Field[] | undefined;
}

/** Reads what was sold in a period, and in an earlier one: all of one moment. */
export function loadTotals(
  { range, before, ids = [], by, fields = [] }: Asked,
  signal: AbortSignal,
): Promise<TotalsResponse> {
  const query = {
    ...range,
    group_by: by.join(),
    before_from: before?.from,
    before_to: before?.to,
    restaurant_id: ids.join(),
    fields: fields.join(),
  };
  return read('/api/v1/sales/totals', query, { signal });
}

/** Adds up lines of any grouping. */
export function sumOf(lines: readonly Sums[]): Sums {
  const count = (name: 'hours' | 'expected_hours' | 'missing_hours'): string =>
    String(lines.reduce((sum, line) => sum + Number(line[name]), 0));
  return {
    hours: count('hours'),
    expected_hours: count('expected_hours'),
    missing_hours: count('missing_hours'),
    totals: figuresOf((field) => addDecimals(lines.map(({ totals }) => totals[field] || '0'))),
  };
}

/** The lists of one of both periods. */
export type Lists = Omit<TotalsResponse, 'before'>;

/** Returns what was sold in each hour of the day, over all days of a period. */
export function hoursOf(of: Lists): Sums[] {
  const lines: readonly HourSums[] = Object.hasOwn(of, 'hours') ? of.hours : of.weekday_hours;
  return HOURS.map((hour) => sumOf(lines.filter((line) => line.hour === hour)));
}
