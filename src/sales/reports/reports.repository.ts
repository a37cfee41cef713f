import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { PageRequest } from '../../database/page.js';
import type { Statement } from '../../database/statement.js';
import type { RestaurantDay } from './day-cursor.js';
import { READ_CALENDAR, READ_TOTALS } from './overview.statements.js';
import { FIND_MISSING, READ_DAY, READ_UPLOADS } from './reports.statements.js';

/** Dates are YYYY-MM-DD, both included. */
export interface DayFilter {
  readonly from: string;
  readonly to: string;
  /** null: of all users */
  readonly userId: number | null;
  /** null: all */
  readonly restaurantId: number | null;
}

/** Dates are YYYY-MM-DD, both included. */
export interface RestaurantsFilter {
  readonly userId: number;
  readonly from: string;
  readonly to: string;
  /** undefined: all that are granted to the user */
  readonly restaurantIds?: readonly number[] | undefined;
}

export interface CalendarRow {
  readonly restaurant_id: number;
  readonly name: string;
  /** One letter per day. */
  readonly days: string;
}

export interface IncompleteDay {
  readonly restaurant_id: number;
  readonly name: string;
  readonly date: string;
  /** One bit per uploaded hour. */
  readonly hours: number;
}

@Injectable()
export class ReportsRepository {
  constructor(private readonly database: Database) {}

  readDay({ restaurantId, date }: RestaurantDay): Promise<string> {
    return this.readJson(READ_DAY, [restaurantId, date]);
  }

  /** Newest first; `after` is the number of an upload. */
  readUploads({ restaurantId, date }: RestaurantDay, { limit, after }: PageRequest<number>): Promise<string> {
    return this.readJson(READ_UPLOADS, [restaurantId, date, after ?? 2_147_483_647, limit]);
  }

  /** By restaurant and date; all of them without a limit. */
  findMissing(filter: DayFilter, { limit, after }: Partial<PageRequest<RestaurantDay>>): Promise<IncompleteDay[]> {
    const { from, to, userId, restaurantId } = filter;
    const { restaurantId: afterId, date } = after ?? { restaurantId: 0, date: '0001-01-01' };
    return this.database.run(FIND_MISSING, [from, to, userId, afterId, date, limit ?? null, restaurantId]);
  }

  /** By restaurant; `after` is the id of one. */
  readCalendar(
    filter: RestaurantsFilter,
    today: string,
    { limit, after }: PageRequest<number>,
  ): Promise<CalendarRow[]> {
    return this.database.run(READ_CALENDAR, [...valuesOf(filter), today, after ?? 0, limit]);
  }

  readTotals(filter: RestaurantsFilter): Promise<string> {
    return this.readJson(READ_TOTALS, valuesOf(filter));
  }

  private async readJson(statement: Statement, values: unknown[]): Promise<string> {
    const [row] = await this.database.run<{ json: string }>(statement, values);
    return row!.json;
  }
}

function valuesOf({ userId, restaurantIds, from, to }: RestaurantsFilter): unknown[] {
  return [userId, restaurantIds ?? null, from, to];
}
