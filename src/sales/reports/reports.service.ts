import { Injectable } from '@nestjs/common';
import { addDays, BusinessCalendar, daysBetween } from '../../calendar/business-calendar.js';
import { Database, type Statement } from '../../database/database.js';
import { toPage, type PageRequest } from '../../database/page.js';
import { MAX_INTEGER } from '../../http/validation/fields.decorator.js';
import type { Restaurant } from '../../restaurants/restaurant.entity.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { ALL_HOURS, HOURS_PER_DAY } from '../../calendar/hour-set.js';
import type { RestaurantDay } from './dto/reports-queries.dto.js';
import type { CalendarResponse, DayMissing, MissingResponse } from './dto/reports-responses.dto.js';
import {
  assertRange,
  idsOf,
  selectRestaurants,
  type DateRange,
  type ReportFilter,
} from './report-filter.js';
import { REPORT_LIMITS } from './report-limits.js';
import { exportHours, READ_DAY, READ_HOURS, READ_UPLOADS } from './reports.statements.js';

/** Restaurants times days that are read at once to fill a page of missing days. */
const DAYS_AT_ONCE = 10_000;

const HOURS = Array.from({ length: HOURS_PER_DAY }, (_, hour) => hour);

/** A day of a restaurant, with one bit per uploaded hour, or CLOSED. */
interface UploadedDay {
  readonly restaurant: Restaurant;
  readonly date: string;
  readonly hours: number;
}

const CLOSED = -1;

/** Reads sales back: days, uploads, missing days, calendar and the export. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly database: Database,
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  /** Returns the records, missing hours and totals of a day as JSON text. */
  async readDay(userId: number, { restaurantId, date }: RestaurantDay): Promise<string> {
    await this.restaurants.assertGranted(userId, restaurantId);
    return this.readJson(READ_DAY, [restaurantId, date]);
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

  async findMissing(
    filter: ReportFilter,
    { limit, after = { restaurantId: 1, date: '' } }: PageRequest<RestaurantDay>,
  ): Promise<MissingResponse> {
    const restaurants = await selectRestaurants(this.restaurants, filter, REPORT_LIMITS.missing);
    const remaining = restaurants.filter(({ id }) => id >= after.restaurantId);
    const atOnce = Math.ceil(DAYS_AT_ONCE / (daysBetween(filter.from, filter.to) + 1));
    const isAfter = ({ restaurant: { id }, date }: UploadedDay): boolean =>
      id > after.restaurantId || date > after.date;
    const days: UploadedDay[] = [];
    while (remaining.length > 0 && days.length <= limit) {
      const some = await this.incompleteDays(remaining.splice(0, atOnce), filter);
      days.push(...some.filter(isAfter));
    }
    const positionOf = ({ restaurant, date }: UploadedDay): string => `${restaurant.id}-${date}`;
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
    const restaurants = items.map(({ id, name }, index) => ({
      restaurant_id: id,
      name,
      days: days[index]!.map((day) => letterOf(day, today)).join(''),
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
    return this.database.streamCopy(exportHours(idsOf(restaurants), from, to), 'csv, HEADER');
  }

  /** Finds the days with missing hours, without closed ones, by restaurant and date. */
  private async incompleteDays(restaurants: readonly Restaurant[], range: DateRange) {
    const days = (await this.readHours(restaurants, range)).flat();
    return days.filter(({ hours }) => hours !== CLOSED && hours !== ALL_HOURS);
  }

  /** Reads which hours were uploaded: for each restaurant a list of the days of the range. */
  private async readHours(restaurants: readonly Restaurant[], { from, to }: DateRange) {
    type Row = { restaurantId: number; days: Readonly<Record<number, number>> };
    const rows = await this.database.run<Row>(READ_HOURS, [idsOf(restaurants), from, to]);
    const uploaded = new Map(rows.map(({ restaurantId, days }) => [restaurantId, days]));
    const dates = Array.from({ length: daysBetween(from, to) + 1 }, (_, day) => addDays(from, day));
    return restaurants.map((restaurant) => {
      const hours = uploaded.get(restaurant.id);
      return dates.map((date, index): UploadedDay => {
        const isClosed = this.restaurants.isClosed(restaurant, date);
        return { restaurant, date, hours: isClosed ? CLOSED : (hours?.[index] ?? 0) };
      });
    });
  }

  private async readJson(statement: Statement, values: unknown[]): Promise<string> {
    const [row] = await this.database.run<{ json: string }>(statement, values);
    return row!.json;
  }
}

function toMissing({ restaurant, date, hours }: UploadedDay): DayMissing {
  return {
    restaurant_id: restaurant.id,
    name: restaurant.name,
    date,
    status: hours === 0 ? 'missing' : 'partial',
    missing_hours: HOURS.filter((hour) => ((hours >> hour) & 1) === 0),
  };
}

/** Returns the letter of a day: Complete, closed (X), Today, Future, Missing or Partial. */
function letterOf({ hours, date }: UploadedDay, today: string): string {
  if (hours === CLOSED) return 'X';
  if (hours === ALL_HOURS) return 'C';
  if (date === today) return 'T';
  if (date > today) return 'F';
  return hours === 0 ? 'M' : 'P';
}
