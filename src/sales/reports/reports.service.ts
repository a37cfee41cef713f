import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { addDays, BusinessCalendar } from '../../calendar/business-calendar.js';
import { expectedHours } from '../../calendar/expected-hours.js';
import { countHours, listHours } from '../../calendar/hour-set.js';
import { type PageRequest, toPage } from '../../database/page.js';
import { ReportsDatabase } from '../../database/reports-database.js';
import type { Restaurant } from '../../restaurants/restaurant.entity.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { type DateRange, idsOf, type ReportFilter, selectRestaurants } from './report-filter.js';
import { REPORT_LIMITS } from './report-limits.js';
import { LAST_SENT, READ_HOURS, type UploadedHours } from './reports.statements.js';
import type { RestaurantDay } from './reports-queries.dto.js';
import type { CalendarResponse, DayMissing, MissingResponse } from './reports-responses.dto.js';

/** The earliest day that an upload may be of. */
const FIRST_DATE = '0001-01-01';

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

/** What is missing of a day, without the days before it. */
export type MissingDay = Omit<DayMissing, 'first_day' | 'since' | 'missing_days' | 'last_sent'>;

/** Says what is missing, by day and as a calendar. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly reports: ReportsDatabase,
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  async findMissing(
    filter: ReportFilter,
    { limit, after = { restaurantId: 1, date: '' } }: PageRequest<RestaurantDay>,
  ): Promise<MissingResponse> {
    const { from, to } = filter;
    const restaurants = await selectRestaurants(this.restaurants, filter, REPORT_LIMITS.missing);
    const calendarDays = this.calendar.listDays(filter);
    const expected = restaurants.filter((restaurant) =>
      calendarDays.some((day) => expectedHours(restaurant, day) !== 0),
    );
    const remaining = restaurants.filter(({ id }) => id >= after.restaurantId);
    const days = (await this.readHours(remaining, filter)).flat();
    const isListed = ({ restaurant: { id }, date, missing }: DayHours): boolean =>
      missing !== 0 && (id > after.restaurantId || date > after.date);
    const positionOf = ({ restaurant, date }: DayHours): string => `${restaurant.id}-${date}`;
    const { items, next } = toPage(days.filter(isListed), limit, positionOf);
    const missing = await this.withPast(items);
    return { from, to, expected_restaurants: expected.length, missing, next };
  }

  /** Says of incomplete days since when days are incomplete, and when the restaurant last sent. */
  private async withPast(days: readonly DayHours[]): Promise<DayMissing[]> {
    if (days.length === 0) return [];
    const restaurants = [...new Set(days.map(({ restaurant }) => restaurant))];
    const dates = days.map(({ date }) => date).sort();
    const before = (date: string): string => {
      const first = addDays(date, -REPORT_LIMITS.missing.days);
      return first > FIRST_DATE ? first : FIRST_DATE;
    };
    const past = await this.readHours(restaurants, { from: before(dates[0]!), to: dates.at(-1)! });
    const pastOf = new Map(restaurants.map((restaurant, at) => [restaurant, past[at]!]));
    const lastSent = await this.findLastSent(restaurants);
    return days.map((day) => {
      const { restaurant, date } = day;
      const isBefore = (each: DayHours) => each.date >= before(date) && each.date <= date;
      const until = pastOf.get(restaurant)!.filter((each) => isBefore(each) && each.expected !== 0);
      const inARow = until.slice(until.findLastIndex(({ missing }) => missing === 0) + 1);
      return {
        ...toMissing(day),
        first_day: restaurant.firstDay,
        since: inARow[0]!.date,
        missing_days: inARow.length,
        last_sent: lastSent.get(restaurant.id) ?? null,
      };
    });
  }

  /** Finds the restaurants of all users that miss hours of a day. */
  async findAllMissing(date: string): Promise<MissingDay[]> {
    const restaurants = await this.restaurants.list();
    const days = (await this.readHours(restaurants, { from: date, to: date })).flat();
    return days.filter(({ missing }) => missing !== 0).map(toMissing);
  }

  async readCalendar(
    filter: ReportFilter,
    { limit, after = 0 }: PageRequest<number>,
  ): Promise<CalendarResponse> {
    const { from, to } = filter;
    const selected = await selectRestaurants(this.restaurants, filter, REPORT_LIMITS.calendar);
    const remaining = selected.filter(({ id }) => id > after);
    const { items, next } = toPage(remaining, limit, ({ id }) => id);
    const hours = await this.readHours(items, filter);
    const lastSent = await this.findLastSent(items);
    const today = this.calendar.today();
    const restaurants = items.map(({ id, name, firstDay }, at) => {
      const days = hours[at]!;
      return {
        restaurant_id: id,
        name,
        first_day: firstDay,
        last_sent: lastSent.get(id) ?? null,
        days: days.map((day) => letterOf(day, today)).join(''),
        expected_hours: days.map(({ expected }) => countHours(expected)),
        missing_hours: days.map(({ missing }) => countHours(missing)),
      };
    });
    return { from, to, today, time_zone: this.calendar.timeZone, restaurants, next };
  }

  /** Finds the latest date up to today for which each restaurant sent anything, if there is one. */
  async findLastSent(restaurants: readonly Restaurant[]): Promise<ReadonlyMap<number, string>> {
    type Row = { restaurantId: number; date: string };
    const today = this.calendar.today();
    const find = (ids: number[], from: string) =>
      this.reports.run<Row>(LAST_SENT, [ids, from, today]);
    const lastSent = new Map<number, string>();
    const add = (rows: Row[]) => rows.forEach((row) => lastSent.set(row.restaurantId, row.date));
    // Nearly all have sent lately: the whole history is read of the others alone.
    add(await find(idsOf(restaurants), addDays(today, -RECENT_DAYS)));
    const silent = idsOf(restaurants).filter((id) => !lastSent.has(id));
    if (silent.length > 0) add(await find(silent, FIRST_DATE));
    return lastSent;
  }

  /** Reads which hours were uploaded: for each restaurant a list of the days of the range. */
  async readHours(
    restaurants: readonly Restaurant[],
    range: DateRange,
    transaction?: EntityManager,
  ): Promise<DayHours[][]> {
    const values = [idsOf(restaurants), range.from, range.to];
    const rows = await this.reports.run<UploadedHours>(READ_HOURS, values, transaction);
    const uploaded = new Map(rows.map(({ restaurantId, hours }) => [restaurantId, hours]));
    const days = this.calendar.listDays(range);
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
}

function toMissing({ restaurant, date, uploaded, expected, missing }: DayHours): MissingDay {
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
