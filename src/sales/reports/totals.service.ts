import { Injectable } from '@nestjs/common';
import { addDays, BusinessCalendar, type CalendarDay } from '../../calendar/business-calendar.js';
import { ALL_HOURS, countHours, HOURS, HOURS_PER_DAY, WEEKDAYS } from '../../calendar/hour-set.js';
import { ReportsDatabase } from '../../database/reports-database.js';
import { DatabaseTimeout } from '../../database/timed-pool.js';
import { Overloaded } from '../../http/errors/http.errors.js';
import type { Restaurant } from '../../restaurants/restaurant.entity.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { toJson } from '../fields/figures.js';
import { SALES_FIELDS, type SalesField } from '../fields/sales-fields.js';
import { DayTotalsService } from './day-totals.service.js';
import {
  assertSpan,
  type DateRange,
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

/** Sums by the names of figures, with every digit. */
type Totals = Readonly<Record<string, string>>;

interface TotalsRow {
  readonly key: Key;
  readonly totals: Totals;
  /** Days whose hours had to be added up, as their totals were not stored. */
  readonly stale: number;
}

/** What the database has of a range: the hours of each restaurant's days, and totals by line. */
interface Sold {
  readonly range: DateRange;
  readonly hours: readonly (readonly DayHours[])[];
  readonly totals: ReadonlyMap<string, Totals>;
}

type Key = string | number;

/** The fields that name a line of a list, and what was counted for it. */
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
    const ranges = before ? [filter, before] : [filter];
    const sold = await this.read(restaurants, ranges, groupings, fields);
    const lastSent = groupings.includes('restaurant')
      ? await this.reports.findLastSent(restaurants)
      : new Map<number, string>();
    const nothing: Totals = Object.fromEntries(fields.map(({ name }) => [name, '0']));
    const [now, then] = sold.map(({ range: { from, to }, hours, totals }) => {
      const days = this.calendar.listDays({ from, to });
      const lists = groupings.map((grouping) => {
        const lines = [...countLines(grouping, days, hours, restaurants)].map(([key, line]) => ({
          ...line.head,
          ...(grouping === 'restaurant'
            ? { days: line.days, last_sent: lastSent.get(Number(key)) ?? null }
            : !isByHour(grouping) && { restaurants: line.restaurants.size }),
          hours: line.hours,
          expected_hours: line.expected,
          missing_hours: line.missing,
          totals: totals.get(`${grouping} ${key}`) ?? nothing,
        }));
        return [LISTS[grouping].name, lines] as const;
      });
      return { from, to, ...Object.fromEntries<object>(lists) };
    });
    return toJson({ ...now, before: then });
  }

  /** Reads what was sold. Where much of it had to be added up, its totals are stored meanwhile. */
  private async read(
    restaurants: readonly Restaurant[],
    ranges: readonly DateRange[],
    groupings: readonly Grouping[],
    fields: readonly SalesField[],
  ): Promise<Sold[]> {
    let addedUp = 0;
    const latestStart = performance.now() + 1.5 * this.database.limits.work;
    try {
      return await this.database.snapshot(async (transaction) => {
        // PostgreSQL expects more lines than there are, and would sort all rows for them, on disk.
        await transaction.query('SET LOCAL enable_sort = off');
        const sold: Sold[] = [];
        for (const range of ranges) {
          const totals = new Map<string, Totals>();
          for (const grouping of groupings) {
            if (performance.now() > latestStart) throw new Overloaded(this.dayTotals.delay);
            const values = [idsOf(restaurants), range.from, range.to];
            const statement = readTotals(grouping, fields);
            const rows = await this.database.run<TotalsRow>(statement, values, transaction);
            for (const row of rows) totals.set(`${grouping} ${row.key}`, row.totals);
            for (const { stale } of rows) addedUp += stale;
          }
          const hours = await this.reports.readHours(restaurants, range, transaction);
          sold.push({ range, hours, totals });
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

interface List {
  readonly name: string;
  /** Lists what tells the lines apart, in their order, with the fields that name them. */
  headsOf(days: readonly CalendarDay[], restaurants: readonly Restaurant[]): Heads;
}

const LISTS: Readonly<Record<Grouping, List>> = {
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
  days: readonly CalendarDay[],
  ofRestaurants: Sold['hours'],
  restaurants: readonly Restaurant[],
): ReadonlyMap<Key, Line> {
  const lines = new Map<Key, Line>();
  for (const [key, head] of LISTS[grouping].headsOf(days, restaurants))
    lines.set(key, { head, restaurants: new Set(), days: 0, hours: 0, expected: 0, missing: 0 });
  const periods = days.map((day) => periodOf(grouping, day));
  for (const ofDays of ofRestaurants)
    for (const [at, day] of ofDays.entries()) {
      if (isByHour(grouping)) {
        const first = grouping === 'hour' ? 0 : days[at]!.weekday * HOURS_PER_DAY;
        for (const hour of HOURS) count(lines.get(first + hour)!, day, 1 << hour);
      } else {
        count(lines.get(grouping === 'restaurant' ? day.restaurant.id : periods[at]!)!, day);
      }
    }
  return lines;
}

/** Counts the hours of a day that are in a set. */
function count(line: Line, day: DayHours, set = ALL_HOURS): void {
  const [uploaded, expected, missing] = [day.uploaded & set, day.expected & set, day.missing & set];
  if (uploaded !== 0) {
    line.days++;
    line.restaurants.add(day.restaurant.id);
  }
  line.hours += countHours(uploaded);
  line.expected += countHours(expected);
  line.missing += countHours(missing);
}
