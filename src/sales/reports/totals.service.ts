import { Injectable } from '@nestjs/common';
import { BusinessCalendar, type CalendarDay } from '../../calendar/business-calendar.js';
import { expectedHours } from '../../calendar/expected-hours.js';
import { countHours, HOURS, HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { Database } from '../../database/database.js';
import type { Restaurant } from '../../restaurants/restaurant.entity.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { SALES_FIELDS } from '../fields/sales-fields.js';
import { DayTotalsService } from './day-totals.service.js';
import { datesOf, idsOf, type ReportFilter, selectRestaurants } from './report-filter.js';
import { REPORT_LIMITS } from './report-limits.js';
import { ReportsService } from './reports.service.js';
import type { UploadedHours } from './reports.statements.js';
import { READ_TOTALS } from './totals.statements.js';

/** The list in the response to each grouping. */
const LIST_NAMES = {
  date: 'days',
  restaurant: 'restaurants',
  hour: 'hours',
  weekday_hour: 'weekday_hours',
} as const;

export type Grouping = keyof typeof LIST_NAMES;

/** Days that a report may add up itself; if there were more, their totals are stored after it. */
const MAX_ADDED_UP = 500;

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const NO_TOTALS = JSON.stringify(Object.fromEntries(SALES_FIELDS.map(({ name }) => [name, 0])));

/** What was sold in a group; `totals` is JSON text with every digit. */
interface Line {
  readonly key: string | number;
  /** Days whose hours had to be added up, as their totals were not stored. */
  readonly addedUp: number;
  readonly totals: string;
}

interface Sold extends Record<string, unknown> {
  readonly lines: readonly Line[];
  readonly uploaded: readonly UploadedHours[];
}

/** A line of the response: its key in the statement, the fields that name it, and its hours. */
interface Group {
  readonly key: string | number;
  readonly head: Readonly<Record<string, string | number>>;
  /** Days of restaurants that have any hour. */
  days: number;
  hours: number;
  expected: number;
  missing: number;
}

/** Adds up the sales of a range, beside what was expected and is missing. */
@Injectable()
export class TotalsService {
  constructor(
    private readonly database: Database,
    private readonly restaurants: RestaurantsService,
    private readonly reports: ReportsService,
    private readonly dayTotals: DayTotalsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  /** Returns the totals of a range as JSON text. */
  async readTotals(filter: ReportFilter, groupBy: Grouping): Promise<string> {
    const { from, to } = filter;
    const isByHour = groupBy === 'hour' || groupBy === 'weekday_hour';
    const limit = isByHour ? REPORT_LIMITS.hourlyTotals : REPORT_LIMITS.totals;
    const restaurants = await selectRestaurants(this.restaurants, filter, limit);
    const dates = datesOf(filter);
    const { lines, uploaded } = await this.read(groupBy, [idsOf(restaurants), from, to]);
    const groups = groupsOf(groupBy, restaurants, dates);
    const days = dates.map((date) => this.calendar.dayOf(date));
    countHoursOf(groupBy, groups, restaurants, days, uploaded);
    const lineOf = new Map(lines.map((line) => [line.key, line]));
    const lastSent =
      groupBy === 'restaurant' ? await this.reports.findLastSent(restaurants) : undefined;
    const written = groups.map((group) => {
      const { key, days } = group;
      const totals = lineOf.get(key)?.totals ?? NO_TOTALS;
      if (groupBy === 'date') return writeLine(group, totals, { restaurants: days });
      const last_sent = lastSent?.get(Number(key)) ?? null;
      return writeLine(group, totals, lastSent && { days, last_sent });
    });
    return `{"from":"${from}","to":"${to}","${LIST_NAMES[groupBy]}":[${written.join()}]}`;
  }

  /** Reads what was sold. Where much of it had to be added up, its totals are stored meanwhile. */
  private async read(groupBy: Grouping, values: unknown[]): Promise<Sold> {
    let addedUp = Infinity;
    try {
      const [sold] = await this.database.transaction(async (transaction) => {
        // PostgreSQL expects more lines than there are, and would sort all rows for them, on disk.
        await transaction.query('SET LOCAL enable_sort = off');
        return this.database.run<Sold>(READ_TOTALS[groupBy], values, transaction);
      });
      addedUp = sold!.lines.reduce((sum, line) => sum + line.addedUp, 0);
      return sold!;
    } finally {
      if (addedUp > MAX_ADDED_UP) void this.dayTotals.store();
    }
  }
}

/** Returns the groups in the order of the response. */
function groupsOf(
  groupBy: Grouping,
  restaurants: readonly Restaurant[],
  dates: readonly string[],
): Group[] {
  const group = (key: Group['key'], head: Group['head']): Group => {
    return { key, head, days: 0, hours: 0, expected: 0, missing: 0 };
  };
  if (groupBy === 'date') return dates.map((date) => group(date, { date }));
  if (groupBy === 'restaurant')
    return restaurants.map(({ id, name }) => group(id, { restaurant_id: id, name }));
  if (groupBy === 'hour') return HOURS.map((hour) => group(hour, { hour }));
  return WEEKDAYS.flatMap((weekday) =>
    HOURS.map((hour) => group(weekday * HOURS_PER_DAY + hour, { weekday, hour })),
  );
}

/** Counts in each group what was uploaded, what was expected, and what of that is missing. */
function countHoursOf(
  groupBy: Grouping,
  groups: readonly Group[],
  restaurants: readonly Restaurant[],
  days: readonly CalendarDay[],
  uploaded: readonly UploadedHours[],
): void {
  const hoursOf = new Map(uploaded.map(({ key, hours }) => [key, hours]));
  const ofRestaurants = restaurants.map(({ id }) => hoursOf.get(id));
  for (const [at, day] of days.entries()) {
    const ofDate = hoursOf.get(day.date);
    for (const [place, restaurant] of restaurants.entries()) {
      const hours = ofDate?.[restaurant.id] ?? ofRestaurants[place]?.[at] ?? 0;
      const expected = expectedHours(restaurant, day);
      if (groupBy === 'date') count(groups[at]!, hours, expected);
      else if (groupBy === 'restaurant') count(groups[place]!, hours, expected);
      else {
        const first = groupBy === 'hour' ? 0 : (day.weekday - 1) * HOURS_PER_DAY;
        for (const hour of HOURS)
          count(groups[first + hour]!, (hours >> hour) & 1, (expected >> hour) & 1);
      }
    }
  }
}

function count(group: Group, hours: number, expected: number): void {
  if (hours !== 0) group.days++;
  group.hours += countHours(hours);
  group.expected += countHours(expected);
  group.missing += countHours(expected & ~hours);
}

/** Writes a line; PostgreSQL has written its totals, as JavaScript numbers would lose digits. */
function writeLine(group: Group, totals: string, own: object = {}): string {
  const { head, hours, expected, missing } = group;
  const counts = { hours, expected_hours: expected, missing_hours: missing };
  const fields = JSON.stringify({ ...head, ...own, ...counts });
  return `${fields.slice(0, -1)},"totals":${totals}}`;
}
