import { add, type Decimal, decimalOf, digitsOf } from './decimals.js';
import { nextDay } from './read-dates.js';
import type { Entry } from './table.js';

/** A turnover by the till's own report; without a restaurant or a date it is of all that is read. */
export interface GivenTurnover {
  readonly restaurantId?: number | undefined;
  readonly date?: string | undefined;
  readonly turnover: string;
}

/** The rows of a restaurant and a date. */
interface DayOfRows {
  readonly restaurantId: number;
  readonly date: string;
  readonly entries: readonly Entry[];
}

interface Checked<Day> {
  /** The days of which a turnover was given, and is what was read. */
  readonly right: ReadonlySet<Day>;
  readonly faults: readonly { readonly days: readonly Day[]; readonly text: string }[];
  /** The turnovers of which nothing was read. */
  readonly unread: readonly GivenTurnover[];
}

/**
 * Compares what was read with the turnovers that were given. A turnover of a date is that of its
 * hours, or of what the files write under that date: with the hours after midnight.
 */
export function checkTurnovers<Day extends DayOfRows>(
  all: readonly Day[],
  turnovers: readonly GivenTurnover[],
): Checked<Day> {
  const right = new Set<Day>();
  const faults: { days: readonly Day[]; text: string }[] = [];
  const unread: GivenTurnover[] = [];
  for (const given of turnovers) {
    const { restaurantId, date, turnover } = given;
    const near = date === undefined ? [] : [date, nextDay(date)];
    const own = all.filter(
      (day) =>
        (restaurantId ?? day.restaurantId) === day.restaurantId &&
        (date === undefined || near.includes(day.date)),
    );
    const ways = (['date', 'day'] as const)
      .map((name) => daysOf(own, (entry) => (date ?? entry[name]) === entry[name]))
      .filter(({ days }) => days.length > 0);
    const found = ways.find(({ sum }) => sum === decimalOf(turnover));
    const [{ days, sum } = { days: [], sum: 0 }] = ways;
    const [first] = days;
    if (!first) unread.push(given);
    else if (days.some((day) => day.restaurantId !== first.restaurantId)) {
      const text = 'one turnover was given, and the files have several restaurants (--turnovers)';
      faults.push({ days, text });
    } else if (found) for (const day of found.days) right.add(day);
    else {
      const of = `restaurant ${first.restaurantId}${date === undefined ? '' : ` on ${date}`}`;
      const text = `the turnover of ${of} was given as ${turnover}, and the files have ${digitsOf(sum)}`;
      faults.push({ days, text });
    }
  }
  return { right, faults, unread };
}

/** Returns the days that have some of the rows, and the turnover of these. */
function daysOf<Day extends DayOfRows>(all: readonly Day[], isOwn: (entry: Entry) => boolean) {
  const rows = all.map((day) => ({ day, own: day.entries.filter(isOwn) }));
  const having = rows.filter(({ own }) => own.length > 0);
  const figures = having.flatMap(({ own }) => own.map((entry) => entry.figures.gto));
  return { days: having.map(({ day }) => day), sum: figures.reduce<Decimal>(add, 0) };
}
