import { add, type Decimal, decimalOf, digitsOf } from './decimals.js';
import type { Entry } from './entry.js';

/** A turnover by the till's own report; without a restaurant or a date it is of all that is read. */
export interface GivenTurnover {
  readonly restaurantId?: number | undefined;
  readonly date?: string | undefined;
  readonly turnover: string;
}

/** The rows of a restaurant and a date. */
export interface DayOfRows {
  readonly restaurantId: number;
  readonly date: string;
  readonly entries: Iterable<Entry>;
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
  days: readonly Day[],
  turnovers: readonly GivenTurnover[],
): Checked<Day> {
  const right = new Set<Day>();
  const faults: { days: Day[]; text: string }[] = [];
  const unread: GivenTurnover[] = [];
  for (const given of turnovers) {
    const { restaurantId, date, turnover } = given;
    const own = days.filter(
      (day) => restaurantId === undefined || day.restaurantId === restaurantId,
    );
    const ways = [
      (day: Day) => sumOf(day, () => date === undefined || day.date === date),
      (day: Day) => sumOf(day, (entry) => date === undefined || entry.day === date),
    ].map((sum) =>
      own.map((day) => ({ day, sum: sum(day) })).filter((each) => each.sum !== undefined),
    );
    const wanted = decimalOf(turnover);
    const found = ways.find((way) => way.length > 0 && totalOf(way) === wanted);
    const [way = []] = ways.filter(({ length }) => length > 0);
    const restaurants = new Set(way.map(({ day }) => day.restaurantId));
    if (way.length === 0) unread.push(given);
    else if (restaurants.size > 1)
      faults.push({
        days: way.map(({ day }) => day),
        text: 'one turnover was given, and the files have several restaurants (--turnovers)',
      });
    else if (found) for (const { day } of found) right.add(day);
    else
      faults.push({
        days: way.map(({ day }) => day),
        text:
          `the turnover of restaurant ${way[0]!.day.restaurantId}${date === undefined ? '' : ` on ${date}`} ` +
          `was given as ${turnover}, and the files have ${digitsOf(totalOf(way))}`,
      });
  }
  return { right, faults, unread };
}

const totalOf = (way: readonly { readonly sum: Decimal | undefined }[]): Decimal =>
  way.reduce<Decimal>((all, { sum }) => add(all, sum ?? 0), 0);

/** Returns the turnover of some rows of a day; undefined if there are none. */
function sumOf({ entries }: DayOfRows, isOwn: (entry: Entry) => boolean): Decimal | undefined {
  let sum: Decimal | undefined;
  for (const entry of entries) if (isOwn(entry)) sum = add(sum ?? 0, entry.figures.gto);
  return sum;
}
