import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { addDays, BusinessCalendar, daysBetween } from '../../calendar/business-calendar.js';
import { closureOn, expectedHours } from '../../calendar/expected-hours.js';
import { countHours, listHours } from '../../calendar/hour-set.js';
import { ServerConfig } from '../../config/server.config.js';
import { Database, type Statement } from '../../database/database.js';
import { type PageRequest, toPage } from '../../database/page.js';
import { MAX_INTEGER } from '../../http/validation/fields.decorator.js';
import type { Restaurant } from '../../restaurants/restaurant.entity.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { READ_CHANGES } from './changes.statements.js';
import {
  assertRange,
  type DateRange,
  datesOf,
  idsOf,
  type ReportFilter,
  selectRestaurants,
} from './report-filter.js';
import { REPORT_LIMITS } from './report-limits.js';
import {
  exportHours,
  LAST_SENT,
  READ_DAY,
  READ_HOURS,
  READ_UPLOADS,
  type UploadedHours,
} from './reports.statements.js';
import type { RestaurantDay, UploadId } from './reports-queries.dto.js';
import type { CalendarResponse, DayMissing, MissingResponse } from './reports-responses.dto.js';

/** Restaurants times days that are read at once to fill a page of missing days. */
const DAYS_AT_ONCE = 10_000;

/** Most restaurants have sent something within these days. */
const RECENT_DAYS = 7;

/** A day of a restaurant; its hours are sets. */
export interface DayHours {
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly uploaded: number;
  readonly expected: number;
  /** The expected hours that were not uploaded. */
  readonly missing: number;
}

/** Reads sales back: days, uploads, missing days, calendar and the export. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly database: Database,
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
    private readonly config: ServerConfig,
  ) {}

  /** Returns the records, missing hours and totals of a day as JSON text. */
  async readDay(userId: number, { restaurantId, date }: RestaurantDay): Promise<string> {
    const [restaurant] = await this.restaurants.assertGranted(userId, restaurantId);
    const closure = closureOn(restaurant!, date);
    const closed = closure ? JSON.stringify({ reason: closure.reason }) : null;
    const expected = expectedHours(restaurant!, this.calendar.dayOf(date));
    return this.readJson(READ_DAY, [restaurantId, date, expected, restaurant!.firstDay, closed]);
  }

  /** Returns the uploads of a day as JSON text, the newest first; `after` is the number of one. */
  async readUploads(
    userId: number,
    { restaurantId, date }: RestaurantDay,
    { limit, after = MAX_INTEGER }: PageRequest<number>,
  ): Promise<string> {
    await this.restaurants.assertGranted(userId, restaurantId);
    return this.readJson(READ_UPLOADS, [restaurantId, date, after, limit]);
  }

  /** Returns a page of the uploads that replaced figures as JSON text, the newest first. */
  async readChanges(
    filter: ReportFilter,
    { limit, after }: PageRequest<UploadId>,
  ): Promise<string> {
    const restaurants = await selectRestaurants(this.restaurants, filter, REPORT_LIMITS.changes);
    const position = [after?.restaurantId ?? null, after?.date ?? null, after?.number ?? null];
    const values = [idsOf(restaurants), filter.from, filter.to, limit, ...position];
    return this.readJson(READ_CHANGES, values);
  }

  async findMissing(
    filter: ReportFilter,
    { limit, after = { restaurantId: 1, date: '' } }: PageRequest<RestaurantDay>,
  ): Promise<MissingResponse> {
    const restaurants = await selectRestaurants(this.restaurants, filter, REPORT_LIMITS.missing);
    const remaining = restaurants.filter(({ id }) => id >= after.restaurantId);
    const atOnce = Math.ceil(DAYS_AT_ONCE / (daysBetween(filter.from, filter.to) + 1));
    const isAfter = ({ restaurant: { id }, date }: DayHours): boolean =>
      id > after.restaurantId || date > after.date;
    const days: DayHours[] = [];
    while (remaining.length > 0 && days.length <= limit) {
      const some = await this.incompleteDays(remaining.splice(0, atOnce), filter);
      days.push(...some.filter(isAfter));
    }
    const positionOf = ({ restaurant, date }: DayHours): string => `${restaurant.id}-${date}`;
    const { items, next } = toPage(days, limit, positionOf);
    return { from: filter.from, to: filter.to, missing: items.map(toMissing), next };
  }

  /** Finds the restaurants of all users that miss hours of a day. */
  async findAllMissing(date: string): Promise<DayMissing[]> {
    const restaurants = await this.restaurants.list();
    return (await this.incompleteDays(restaurants, { from: date, to: date })).map(toMissing);
  }

  async readCalendar(
    filter: ReportFilter,
    { limit, after = 0 }: PageRequest<number>,
  ): Promise<CalendarResponse> {
    const selected = await selectRestaurants(this.restaurants, filter, REPORT_LIMITS.calendar);
    const remaining = selected.filter(({ id }) => id > after);
    const { items, next } = toPage(remaining, limit, ({ id }) => id);
    const today = this.calendar.today();
    const days = await this.readHours(items, filter);
    const lastSent = await this.findLastSent(items);
    const restaurants = items.map(({ id, name, firstDay }, index) => ({
      restaurant_id: id,
      name,
      first_day: firstDay,
      last_sent: lastSent.get(id) ?? null,
      days: days[index]!.map((day) => letterOf(day, today)).join(''),
      expected_hours: days[index]!.map(({ expected }) => countHours(expected)),
      missing_hours: days[index]!.map(({ missing }) => countHours(missing)),
    }));
    const { from, to } = filter;
    return { from, to, today, time_zone: this.calendar.timeZone, restaurants, next };
  }

  /** Returns the stored hourly figures of one restaurant or all, as CSV with a header line. */
  async export({ from, to }: DateRange, restaurantId?: number): Promise<AsyncGenerator<Buffer>> {
    assertRange(from, to);
    const restaurants =
      restaurantId === undefined
        ? await this.restaurants.list()
        : [await this.restaurants.get(restaurantId)];
    const text = exportHours(idsOf(restaurants), from, to, this.config.CURRENCY);
    return this.database.streamCopy(text, 'csv, HEADER');
  }

  /** Finds the latest date up to today for which each restaurant sent anything, if there is one. */
  async findLastSent(restaurants: readonly Restaurant[]): Promise<ReadonlyMap<number, string>> {
    type Row = { restaurantId: number; date: string };
    const today = this.calendar.today();
    const find = (ids: number[], from: string) =>
      this.database.run<Row>(LAST_SENT, [ids, from, today]);
    const lastSent = new Map<number, string>();
    const add = (rows: Row[]) => rows.forEach((row) => lastSent.set(row.restaurantId, row.date));
    // Nearly all have sent lately: the whole history is read of the others alone.
    add(await find(idsOf(restaurants), addDays(today, -RECENT_DAYS)));
    const silent = idsOf(restaurants).filter((id) => !lastSent.has(id));
    if (silent.length > 0) add(await find(silent, '0001-01-01'));
    return lastSent;
  }

  /** Finds the days with missing hours by restaurant and date. */
  private async incompleteDays(restaurants: readonly Restaurant[], range: DateRange) {
    const days = (await this.readHours(restaurants, range)).flat();
    return days.filter(({ missing }) => missing !== 0);
  }

  /** Reads which hours were uploaded: for each restaurant a list of the days of the range. */
  async readHours(
    restaurants: readonly Restaurant[],
    range: DateRange,
    transaction?: EntityManager,
  ): Promise<DayHours[][]> {
    const values = [idsOf(restaurants), range.from, range.to];
    const rows = await this.database.run<UploadedHours>(READ_HOURS, values, transaction);
    const uploaded = new Map(rows.map(({ restaurantId, hours }) => [restaurantId, hours]));
    const days = datesOf(range).map((date) => this.calendar.dayOf(date));
    return restaurants.map((restaurant) => {
      const ofDates = uploaded.get(restaurant.id);
      return days.map((day, index): DayHours => {
        const hours = ofDates?.[index] ?? 0;
        const expected = expectedHours(restaurant, day);
        const missing = expected & ~hours;
        return { restaurant, date: day.date, uploaded: hours, expected, missing };
      });
    });
  }

  private async readJson(statement: Statement, values: unknown[]): Promise<string> {
    const [row] = await this.database.run<{ json: string }>(statement, values);
    return row!.json;
  }
}

function toMissing({ restaurant, date, uploaded, expected, missing }: DayHours): DayMissing {
  return {
    restaurant_id: restaurant.id,
    name: restaurant.name,
    date,
    status: uploaded === 0 ? 'missing' : 'partial',
    expected_hours: countHours(expected),
    missing_hours: listHours(missing),
  };
}

/** Returns the letter of a day: Complete, closed (X), Today, Future, Missing or Partial. */
function letterOf({ uploaded, expected, missing, date }: DayHours, today: string): string {
  if (missing === 0) return expected === 0 && uploaded === 0 ? 'X' : 'C';
  if (date === today) return 'T';
  if (date > today) return 'F';
  return uploaded === 0 ? 'M' : 'P';
}
