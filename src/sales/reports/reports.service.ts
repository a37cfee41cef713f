import { Injectable } from '@nestjs/common';
import { addDays, BusinessCalendar, daysBetween } from '../../config/business-calendar.js';
import { Database, type Statement } from '../../database/database.js';
import { toPage, type PageRequest } from '../../database/page.js';
import { DatesReversed } from '../../http/errors/http.errors.js';
import {
  RestaurantsService,
  type VisibleRestaurant,
} from '../../restaurants/restaurants.service.js';
import { MAX_INTEGER } from '../../http/validation/fields.decorator.js';
import { ALL_HOURS, HOURS_PER_DAY } from '../fields/sales-fields.js';
import { TooManyDays } from '../sales.errors.js';
import type { RestaurantDay } from './dto/reports-queries.dto.js';
import type { CalendarResponse, DayMissing, MissingResponse } from './dto/reports-responses.dto.js';
import {
  READ_DAY,
  READ_HOURS,
  READ_UPLOADS,
  TOTALS_BY_DATE,
  TOTALS_BY_RESTAURANT,
} from './reports.statements.js';

const MAX_DAYS = 92;
const MAX_OVERVIEW_DAYS = 62;

/** Restaurants times days that totals may have; see docs/performance.md#totals */
const MAX_TOTALED_DAYS = 40_000;

/** Missing days are looked for among so many restaurants, and then among four times as many. */
const FIRST_RESTAURANTS = 250;

const HOURS = Array.from({ length: HOURS_PER_DAY }, (_, hour) => hour);

/** A range of days. Dates are YYYY-MM-DD, both included. */
interface DateRange {
  readonly from: string;
  readonly to: string;
}

export interface ReportFilter extends DateRange {
  readonly userId: number;
  /** Some restaurants; undefined for all that are granted to the user. */
  readonly restaurantIds?: readonly number[] | undefined;
}

/** What was uploaded for a restaurant on each day of a range. */
interface UploadedDays {
  readonly restaurant: VisibleRestaurant;
  readonly days: readonly {
    readonly date: string;
    /** One bit per uploaded hour, or CLOSED. */
    readonly hours: number;
  }[];
}

const CLOSED = -1;

/** Reads sales back: days, uploads, missing days, calendar and totals. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly database: Database,
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  /** Returns JSON text. */
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
    { limit, after }: PageRequest<RestaurantDay>,
  ): Promise<MissingResponse> {
    await this.assertReadable(filter, MAX_DAYS);
    const found = await this.missingDays(filter.userId, filter, { limit: limit + 1, after });
    const { items, next } = toPage(found, limit, (day) => `${day.restaurant_id}-${day.date}`);
    return { from: filter.from, to: filter.to, missing: items, next };
  }

  /** Finds the restaurants of all users that miss hours of a day. */
  findAllMissing(date: string): Promise<DayMissing[]> {
    return this.missingDays(null, { from: date, to: date }, { limit: Infinity });
  }

  async readCalendar(
    filter: ReportFilter,
    { limit, after }: PageRequest<number>,
  ): Promise<CalendarResponse> {
    await this.assertReadable(filter, MAX_OVERVIEW_DAYS);
    const { userId, from, to, restaurantIds: ids } = filter;
    const today = this.calendar.today();
    const visible = await this.restaurants.listVisible(userId, { ids, after, limit: limit + 1 });
    const { items, next } = toPage(visible, limit, ({ id }) => id);
    const restaurants = (await this.readHours(items, filter)).map(({ restaurant, days }) => ({
      restaurant_id: restaurant.id,
      name: restaurant.name,
      days: days.map(({ date, hours }) => letterOf(hours, date, today)).join(''),
    }));
    return { from, to, today, time_zone: this.calendar.timeZone, restaurants, next };
  }

  /** Returns JSON text. */
  async readTotals(filter: ReportFilter, groupBy: 'date' | 'restaurant'): Promise<string> {
    await this.assertReadable(filter, MAX_OVERVIEW_DAYS);
    const { userId, from, to, restaurantIds } = filter;
    const ids = restaurantIds ?? (await this.restaurants.listVisible(userId)).map(({ id }) => id);
    assertRange(from, to, Math.max(1, Math.floor(MAX_TOTALED_DAYS / ids.length)));
    const statement = groupBy === 'date' ? TOTALS_BY_DATE : TOTALS_BY_RESTAURANT;
    return this.readJson(statement, [ids, from, to]);
  }

  private async assertReadable(
    { userId, from, to, restaurantIds }: ReportFilter,
    maxDays: number,
  ): Promise<void> {
    assertRange(from, to, maxDays);
    if (restaurantIds) await this.restaurants.assertGranted(userId, ...restaurantIds);
  }

  /**
   * Finds the days with missing hours by restaurant and date, at least `limit` of them if there are
   * so many.
   */
  private async missingDays(
    userId: number | null,
    range: DateRange & Pick<ReportFilter, 'restaurantIds'>,
    { limit, after = { restaurantId: 1, date: '' } }: PageRequest<RestaurantDay>,
  ): Promise<DayMissing[]> {
    const isAfter = ({ restaurant_id, date }: DayMissing): boolean =>
      restaurant_id > after.restaurantId || date > after.date;
    let found: DayMissing[] = [];
    let lastId = after.restaurantId - 1;
    for (let count = FIRST_RESTAURANTS; found.length < limit; count *= 4) {
      const selection = { ids: range.restaurantIds, after: lastId, limit: count };
      const restaurants = await this.restaurants.listVisible(userId, selection);
      const uploaded = await this.readHours(restaurants, range);
      found = found.concat(uploaded.flatMap(missingOf).filter(isAfter));
      if (restaurants.length < count) break;
      lastId = restaurants.at(-1)!.id;
    }
    return found;
  }

  /** Reads which hours of which day are there: calendar, missing days and gauge follow from it. */
  private async readHours(
    restaurants: readonly VisibleRestaurant[],
    range: DateRange,
  ): Promise<UploadedDays[]> {
    type Row = { restaurantId: number; days: Readonly<Record<number, number>> };
    const ids = restaurants.map(({ id }) => id);
    const rows = await this.database.run<Row>(READ_HOURS, [ids, range.from, range.to]);
    const uploaded = new Map(rows.map(({ restaurantId, days }) => [restaurantId, days]));
    const dates = datesOf(range);
    return restaurants.map((restaurant) => {
      const hours = uploaded.get(restaurant.id);
      const days = dates.map((date, index) => {
        const isClosed = this.restaurants.isClosed(restaurant, date);
        return { date, hours: isClosed ? CLOSED : (hours?.[index] ?? 0) };
      });
      return { restaurant, days };
    });
  }

  private async readJson(statement: Statement, values: unknown[]): Promise<string> {
    const [row] = await this.database.run<{ json: string }>(statement, values);
    return row!.json;
  }
}

function datesOf({ from, to }: DateRange): string[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, day) => addDays(from, day));
}

/** Returns the days with missing hours, without closed ones. */
function missingOf({ restaurant, days }: UploadedDays): DayMissing[] {
  const incomplete = days.filter(({ hours }) => hours !== CLOSED && hours !== ALL_HOURS);
  return incomplete.map(({ date, hours }) => ({
    restaurant_id: restaurant.id,
    name: restaurant.name,
    date,
    status: hours === 0 ? 'missing' : 'partial',
    missing_hours: HOURS.filter((hour) => ((hours >> hour) & 1) === 0),
  }));
}

/** Returns the letter of a day: Complete, closed (X), Today, Future, Missing or Partial. */
function letterOf(hours: number, date: string, today: string): string {
  if (hours === CLOSED) return 'X';
  if (hours === ALL_HOURS) return 'C';
  if (date === today) return 'T';
  if (date > today) return 'F';
  return hours === 0 ? 'M' : 'P';
}

function assertRange(from: string, to: string, maxDays: number): void {
  if (from > to) throw new DatesReversed(from, to);
  if (daysBetween(from, to) >= maxDays) throw new TooManyDays(maxDays);
}
