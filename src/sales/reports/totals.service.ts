import { Injectable } from '@nestjs/common';
import { addDays, BusinessCalendar, type CalendarDay } from '../../calendar/business-calendar.js';
import { countHours, HOURS, HOURS_PER_DAY, WEEKDAYS } from '../../calendar/hour-set.js';
import type { Statement } from '../../database/database.js';
import { ReportsDatabase } from '../../database/reports-database.js';
import { DatabaseTimeout } from '../../database/timed-pool.js';
import { Overloaded } from '../../http/errors/http.errors.js';
import type { Restaurant } from '../../restaurants/restaurant.entity.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { SALES_FIELDS } from '../fields/sales-fields.js';
import { DayTotalsService } from './day-totals.service.js';
import {
  assertSpan,
  type DateRange,
  datesOf,
  idsOf,
  type ReportFilter,
  selectRestaurants,
} from './report-filter.js';
import { REPORT_LIMITS } from './report-limits.js';
import { type DayHours, ReportsService } from './reports.service.js';
import { type Grouping, isByHour, readTotals } from './totals.statements.js';

/** Days that a report may add up itself; if there were more, their totals are stored after it. */
const MAX_ADDED_UP = 500;

/** What a report of totals has. */
export interface TotalsRequest {
  readonly groupings: readonly Grouping[];
  /** A second range, of which the same is read at the same moment. */
  readonly before?: DateRange | undefined;
  /** Names of the figures; undefined for all. */
  readonly fieldNames?: readonly string[] | undefined;
}

/** What a statement found: totals as JSON text with every digit, by the key of a line. */
interface TotalsRow {
  readonly lines: readonly { readonly key: string; readonly totals: string }[];
  /** Days whose hours had to be added up, as their totals were not stored. */
  readonly addedUp: number;
}

/** A range with its days, the hours of each restaurant's days, and totals by the keys of lines. */
interface Sold {
  readonly range: DateRange;
  readonly days: readonly CalendarDay[];
  readonly hours: readonly (readonly DayHours[])[];
  readonly totals: ReadonlyMap<string, string>;
}

type Key = string | number;

/** A line of a list: the fields that name it, and what was counted for it. */
interface Line {
  readonly head: Readonly<Record<string, Key>>;
  /** The restaurants that have any hour, and the number of their days. */
  readonly restaurants: Set<number>;
  days: number;
  hours: number;
  expected: number;
  missing: number;
}

/** Adds up the sales of a range, beside what was expected and is missing. */
@Injectable()
export class TotalsService {
  constructor(
    private readonly database: ReportsDatabase,
    private readonly restaurants: RestaurantsService,
    private readonly reports: ReportsService,
    private readonly dayTotals: DayTotalsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  /** Returns the totals of one moment as JSON text. */
  async readTotals(filter: ReportFilter, request: TotalsRequest): Promise<string> {
    const { groupings, before, fieldNames } = request;
    const limit = groupings.some(isByHour) ? REPORT_LIMITS.hourlyTotals : REPORT_LIMITS.totals;
    const restaurants = await selectRestaurants(this.restaurants, filter, limit);
    if (before) assertSpan(before, restaurants.length, limit);
    const fields = SALES_FIELDS.filter(({ name }) => fieldNames?.includes(name) ?? true);
    const statements = [true, false]
      .map((hourly) => groupings.filter((grouping) => isByHour(grouping) === hourly))
      .filter(({ length }) => length > 0)
      .map((some) => readTotals(some, fields));
    const sold = await this.read(restaurants, before ? [filter, before] : [filter], statements);
    const lastSent = groupings.includes('restaurant')
      ? await this.reports.findLastSent(restaurants)
      : new Map<number, string>();
    const nothing = JSON.stringify(Object.fromEntries(fields.map(({ name }) => [name, 0])));
    /** PostgreSQL has written the totals, as JavaScript numbers would lose digits. */
    const write = (grouping: Grouping, key: Key, line: Line, totals = nothing): string => {
      const { head, hours, expected, missing } = line;
      const own =
        grouping === 'restaurant'
          ? { days: line.days, last_sent: lastSent.get(Number(key)) ?? null }
          : !isByHour(grouping) && { restaurants: line.restaurants.size };
      const counts = { hours, expected_hours: expected, missing_hours: missing };
      return `${JSON.stringify({ ...head, ...own, ...counts }).slice(0, -1)},"totals":${totals}}`;
    };
    const [now, then] = sold.map((of) => {
      const lists = groupings.map((grouping) => {
        const lines = [...countLines(grouping, of, restaurants)].map(([key, line]) =>
          write(grouping, key, line, of.totals.get(`${grouping} ${key}`)),
        );
        return `"${LISTS[grouping].name}":[${lines.join()}]`;
      });
      return `"from":"${of.range.from}","to":"${of.range.to}",${lists.join()}`;
    });
    return then === undefined ? `{${now}}` : `{${now},"before":{${then}}}`;
  }

  /** Reads what was sold. Where much of it had to be added up, its totals are stored meanwhile. */
  private async read(
    restaurants: readonly Restaurant[],
    ranges: readonly DateRange[],
    statements: readonly Statement[],
  ): Promise<Sold[]> {
    let addedUp = 0;
    const latestStart = performance.now() + 1.5 * this.database.limits.work;
    try {
      return await this.database.snapshot(async (transaction) => {
        // PostgreSQL expects more lines than there are, and would sort all rows for them, on disk.
        await transaction.query('SET LOCAL enable_sort = off');
        const sold: Sold[] = [];
        for (const range of ranges) {
          const totals = new Map<string, string>();
          for (const statement of statements) {
            if (performance.now() > latestStart) throw new Overloaded(this.dayTotals.delay);
            const values = [idsOf(restaurants), range.from, range.to];
            const [row] = await this.database.run<TotalsRow>(statement, values, transaction);
            for (const { key, totals: text } of row!.lines) totals.set(key, text);
            addedUp += row!.addedUp;
          }
          const hours = await this.reports.readHours(restaurants, range, transaction);
          const days = datesOf(range).map((date) => this.calendar.dayOf(date));
          sold.push({ range, days, hours, totals });
        }
        return sold;
      });
    } catch (error) {
      addedUp = Infinity;
      const isBehind = error instanceof DatabaseTimeout && this.dayTotals.delay !== undefined;
      throw isBehind ? new Overloaded(this.dayTotals.delay).causedBy(error) : error;
    } finally {
      if (addedUp > MAX_ADDED_UP) void this.dayTotals.store();
    }
  }
}

type Heads = readonly (readonly [Key, Line['head']])[];

/** The name of each list, and its lines in their order. */
const LISTS: Readonly<
  Record<
    Grouping,
    {
      readonly name: string;
      headsOf(days: readonly CalendarDay[], restaurants: readonly Restaurant[]): Heads;
    }
  >
> = {
  date: { name: 'days', headsOf: (days) => days.map(({ date }) => [date, { date }]) },
  week: { name: 'weeks', headsOf: (days) => periodsOf('week', days) },
  month: { name: 'months', headsOf: (days) => periodsOf('month', days) },
  restaurant: {
    name: 'restaurants',
    headsOf: (_days, restaurants) =>
      restaurants.map(({ id, name }) => [id, { restaurant_id: id, name }]),
  },
  hour: { name: 'hours', headsOf: () => HOURS.map((hour) => [hour, { hour }]) },
  weekday_hour: {
    name: 'weekday_hours',
    headsOf: () =>
      WEEKDAYS.flatMap((weekday) =>
        HOURS.map((hour) => [weekday * HOURS_PER_DAY + hour, { weekday, hour }] as const),
      ),
  },
};

/** Lists the weeks or months of days, cut to these days. */
function periodsOf(grouping: 'week' | 'month', days: readonly CalendarDay[]): Heads {
  const heads = new Map<string, { from: string; to: string }>();
  for (const day of days) {
    const period = periodOf(grouping, day);
    heads.set(period, { from: heads.get(period)?.from ?? day.date, to: day.date });
  }
  return [...heads];
}

/** Returns the first day of the week or month of a day, or the day itself. */
function periodOf(grouping: Grouping, { date, weekday }: CalendarDay): string {
  if (grouping === 'month') return `${date.slice(0, 7)}-01`;
  return grouping === 'week' ? addDays(date, 1 - weekday) : date;
}

/** Counts for each line of a list what was uploaded, what was expected, and what is missing. */
function countLines(
  grouping: Grouping,
  { days, hours: ofRestaurants }: Sold,
  restaurants: readonly Restaurant[],
): ReadonlyMap<Key, Line> {
  const lines = new Map<Key, Line>();
  for (const [key, head] of LISTS[grouping].headsOf(days, restaurants))
    lines.set(key, { head, restaurants: new Set(), days: 0, hours: 0, expected: 0, missing: 0 });
  const periods = days.map((day) => periodOf(grouping, day));
  for (const [place, ofDays] of ofRestaurants.entries()) {
    const { id } = restaurants[place]!;
    for (const [at, { uploaded, expected }] of ofDays.entries()) {
      if (isByHour(grouping)) {
        const first = grouping === 'hour' ? 0 : days[at]!.weekday * HOURS_PER_DAY;
        for (const hour of HOURS)
          count(lines.get(first + hour)!, id, (uploaded >> hour) & 1, (expected >> hour) & 1);
      } else {
        count(lines.get(grouping === 'restaurant' ? id : periods[at]!)!, id, uploaded, expected);
      }
    }
  }
  return lines;
}

/** Counts a day of a restaurant, whose hours are sets. */
function count(line: Line, id: number, uploaded: number, expected: number): void {
  if (uploaded !== 0) {
    line.days++;
    line.restaurants.add(id);
  }
  line.hours += countHours(uploaded);
  line.expected += countHours(expected);
  line.missing += countHours(expected & ~uploaded);
}
