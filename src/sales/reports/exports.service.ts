import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { BusinessCalendar } from '../../calendar/business-calendar.js';
import { expectedHours } from '../../calendar/expected-hours.js';
import { Database } from '../../database/database.js';
import { Overloaded } from '../../http/errors/http.errors.js';
import type { Restaurant } from '../../restaurants/restaurant.entity.js';
import { RestaurantsService } from '../../restaurants/restaurants.service.js';
import { EXPORT_HEAD, exportHours } from './export.statements.js';
import {
  assertRange,
  type DateRange,
  type ReportFilter,
  selectRestaurants,
} from './report-filter.js';
import { REPORT_LIMITS } from './report-limits.js';

/** Exports at once of all users: each has a connection of its own. */
const MAX_EXPORTS = 2;

/** Restaurants times days of a statement: PostgreSQL sorts so many lines in memory. */
const DAYS_AT_ONCE = 1000;

/** Milliseconds in which a client reads the lines of one statement; 20 kB a second are enough. */
const MAX_STATEMENT_MS = 300_000;

/** Exports every hour that was sent or expected as CSV, in constant memory and of one moment. */
@Injectable()
export class ExportsService {
  /** The users of the exports that run. */
  private readonly running = new Set<number>();

  constructor(
    private readonly database: Database,
    private readonly restaurants: RestaurantsService,
    private readonly calendar: BusinessCalendar,
  ) {}

  /** Begins an export for a user, of whom one runs at once; an error before its first line is thrown. */
  async export(filter: ReportFilter): Promise<Readable> {
    const { userId } = filter;
    const restaurants = await selectRestaurants(this.restaurants, filter, REPORT_LIMITS.export);
    if (this.running.has(userId)) throw new Overloaded('another export of this account is running');
    if (this.running.size === MAX_EXPORTS) throw new Overloaded('other exports are running');
    this.running.add(userId);
    const lines = Readable.from(this.write(restaurants, filter, MAX_STATEMENT_MS));
    lines.on('close', () => this.running.delete(userId));
    await once(lines, 'readable');
    return lines;
  }

  /** Exports the hours of one restaurant or all. */
  async exportAll(range: DateRange, restaurantId?: number): Promise<AsyncGenerator<Buffer>> {
    assertRange(range.from, range.to);
    const restaurants =
      restaurantId === undefined
        ? await this.restaurants.list()
        : [await this.restaurants.get(restaurantId)];
    return this.write(restaurants, range);
  }

  private async *write(restaurants: readonly Restaurant[], range: DateRange, maxMs = 0) {
    yield Buffer.from(EXPORT_HEAD);
    yield* this.database.streamCopy(this.statements(restaurants, range), 'csv', maxMs);
  }

  private *statements(restaurants: readonly Restaurant[], range: DateRange): Generator<string> {
    const days = this.calendar.listDays(range);
    const atOnce = Math.max(1, Math.floor(DAYS_AT_ONCE / days.length));
    for (let first = 0; first < restaurants.length; first += atOnce)
      for (let start = 0; start < days.length; start += DAYS_AT_ONCE) {
        const some = days.slice(start, start + DAYS_AT_ONCE);
        const rows = restaurants.slice(first, first + atOnce).map((restaurant) => {
          const expected = some.map((day) => expectedHours(restaurant, day));
          return { id: restaurant.id, name: restaurant.name, expected };
        });
        yield exportHours(rows, some[0]!.date);
      }
  }
}
