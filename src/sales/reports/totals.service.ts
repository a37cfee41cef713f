import { Injectable } from '@nestjs/common';
import { addDays, BusinessCalendar, type CalendarDay } from '../../calendar/business-calendar.js';
import { countHours, HOURS, HOURS_PER_DAY } from '../../calendar/hour-set.js';
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

/** The list in the response to each grouping. */
const LIST_NAMES: Readonly<Record<Grouping, string>> = {
  date: 'days',
  week: 'weeks',
  month: 'months',
  restaurant: 'restaurants',
  hour: 'hours',
  weekday_hour: 'weekday_hours',
};

/** Days that a report may add up itself; if there were more, their totals are stored after it. */
const MAX_ADDED_UP = 500;

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** What a report of totals has. */
export interface TotalsRequest {
  readonly groupings: readonly Grouping[];
  /** A second range, of which the same is read at the same moment. */
  readonly before?: DateRange | undefined;
  /** Names of the figures; undefined for all. */
  readonly fieldNames?: readonly string[] | undefined;
}

type Key = string | number;

/** What was sold in a group; `totals` is JSON text with every digit. */
interface Line {
  readonly key: Key;
  /** Days whose hours had to be added up, as their totals were not stored. */
  readonly addedUp: number;
  readonly totals: string;
}

/** What the database has of a range: the hours of each restaurant's days, and lines by grouping. */
interface Sold {
  readonly range: DateRange;
  readonly hours: readonly (readonly DayHours[])[];
  readonly lines: readonly (readonly Line[])[];
}

/** A line of the response: the fields that name it, and what was counted for it. */
interface Group {
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
    const statements = groupings.map((grouping) => readTotals(grouping, fields));
    const sold = await this.read(restaurants, before ? [filter, before] : [filter], statements);
    const lastSent = groupings.includes('restaurant')
      ? await this.reports.findLastSent(restaurants)
      : new Map<number, string>();
    const nothing = JSON.stringify(Object.fromEntries(fields.map(({ name }) => [name, 0])));
    const [now, then] = sold.map(({ range, hours, lines }) => {
      const days = datesOf(range).map((date) => this.calendar.dayOf(date));
      const lists = groupings.map((grouping, place) => {
        const totals = new Map(lines[place]!.map((line) => [line.key, line.totals]));
        const groups = groupsOf(grouping, days, hours, restaurants);
        const written = [...groups].map(([key, group]) => {
          const own =
            grouping === 'restaurant'
              ? { days: group.days, last_sent: lastSent.get(Number(key)) ?? null }
              : !isByHour(grouping) && { restaurants: group.restaurants.size };
          return writeLine(group, totals.get(key) ?? nothing, { ...own });
        });
        return `"${LIST_NAMES[grouping]}":[${written.join()}]`;
      });
      return `"from":"${range.from}","to":"${range.to}",${lists.join()}`;
    });
    return then === undefined ? `{${now}}` : `{${now},"before":{${then}}}`;
  }

  /** Reads what was sold. Where much of it had to be added up, its totals are stored meanwhile. */
  private async read(
    restaurants: readonly Restaurant[],
    ranges: readonly DateRange[],
    statements: readonly Statement[],
  ): Promise<Sold[]> {
    let addedUp = Infinity;
    const latestStart = performance.now() + 1.5 * this.database.limits.work;
    try {
      const sold = await this.database.snapshot(async (transaction) => {
        // PostgreSQL expects more lines than there are, and would sort all rows for them, on disk.
        await transaction.query('SET LOCAL enable_sort = off');
        const read: Sold[] = [];
        for (const range of ranges) {
          const values = [idsOf(restaurants), range.from, range.to];
          const hours = await this.reports.readHours(restaurants, range, transaction);
          const lines: Line[][] = [];
          for (const statement of statements) {
            if (performance.now() > latestStart) throw new Overloaded(this.dayTotals.delay);
            const [row] = await this.database.run<{ lines: Line[] }>(
              statement,
              values,
              transaction,
            );
            lines.push(row!.lines);
          }
          read.push({ range, hours, lines });
        }
        return read;
      });
      const lines = sold.flatMap((each) => each.lines.flat());
      addedUp = lines.reduce((sum, line) => sum + line.addedUp, 0);
      return sold;
    } catch (error) {
      const isBehind = error instanceof DatabaseTimeout && this.dayTotals.delay !== undefined;
      throw isBehind ? new Overloaded(this.dayTotals.delay).causedBy(error) : error;
    } finally {
      if (addedUp > MAX_ADDED_UP) void this.dayTotals.store();
    }
  }
}

/** Counts in each group what was uploaded, what was expected, and what of that is missing. */
function groupsOf(
  grouping: Grouping,
  days: readonly CalendarDay[],
  ofRestaurants: Sold['hours'],
  restaurants: readonly Restaurant[],
): ReadonlyMap<Key, Group> {
  const groups = new Map<Key, Group>();
  for (const [key, head] of headsOf(grouping, days, restaurants))
    groups.set(key, { head, restaurants: new Set(), days: 0, hours: 0, expected: 0, missing: 0 });
  const periods = days.map((day) => periodOf(grouping, day));
  for (const ofDays of ofRestaurants)
    for (const [at, { restaurant, uploaded, expected }] of ofDays.entries()) {
      if (isByHour(grouping)) {
        const first = grouping === 'hour' ? 0 : days[at]!.weekday * HOURS_PER_DAY;
        for (const hour of HOURS)
          count(groups.get(first + hour)!, (uploaded >> hour) & 1, (expected >> hour) & 1);
      } else {
        const group = groups.get(grouping === 'restaurant' ? restaurant.id : periods[at]!)!;
        count(group, uploaded, expected);
        if (uploaded !== 0) group.restaurants.add(restaurant.id);
      }
    }
  return groups;
}

/** Lists what tells the lines of a list apart, in their order, with the fields that name them. */
function headsOf(
  grouping: Grouping,
  days: readonly CalendarDay[],
  restaurants: readonly Restaurant[],
): [Key, Group['head']][] {
  switch (grouping) {
    case 'date':
      return days.map(({ date }) => [date, { date }]);
    case 'week':
    case 'month': {
      const heads = new Map<string, { from: string; to: string }>();
      for (const day of days) {
        const period = periodOf(grouping, day);
        heads.set(period, { from: heads.get(period)?.from ?? day.date, to: day.date });
      }
      return [...heads];
    }
    case 'restaurant':
      return restaurants.map(({ id, name }) => [id, { restaurant_id: id, name }]);
    case 'hour':
      return HOURS.map((hour) => [hour, { hour }]);
    case 'weekday_hour':
      return WEEKDAYS.flatMap((weekday) =>
        HOURS.map((hour): [Key, Group['head']] => [
          weekday * HOURS_PER_DAY + hour,
          { weekday, hour },
        ]),
      );
  }
}

/** Returns the first day of the week or month of a day, or the day itself. */
function periodOf(grouping: Grouping, { date, weekday }: CalendarDay): string {
  if (grouping === 'month') return `${date.slice(0, 7)}-01`;
  return grouping === 'week' ? addDays(date, 1 - weekday) : date;
}

function count(group: Group, uploaded: number, expected: number): void {
  if (uploaded !== 0) group.days++;
  group.hours += countHours(uploaded);
  group.expected += countHours(expected);
  group.missing += countHours(expected & ~uploaded);
}

/** Writes a line; PostgreSQL has written its totals, as JavaScript numbers would lose digits. */
function writeLine(group: Group, totals: string, own: object): string {
  const { head, hours, expected, missing } = group;
  const counts = { hours, expected_hours: expected, missing_hours: missing };
  const fields = JSON.stringify({ ...head, ...own, ...counts });
  return `${fields.slice(0, -1)},"totals":${totals}}`;
}
