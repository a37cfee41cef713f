import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { PageRequest } from '../../database/page.js';
import type { Statement } from '../../database/statement.js';
import type { RestaurantDay } from './day-cursor.js';
import { FIND_MISSING, READ_CALENDAR, READ_TOTALS } from './overview.statements.js';
import { READ_DAY, READ_UPLOADS } from './reports.statements.js';

/** Dates are YYYY-MM-DD, both included. */
export interface ReportFilter<User = number> {
  readonly userId: User;
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

  /** By restaurant and date; all of them without a limit. `userId` null: of all users. */
  findMissing(
    filter: ReportFilter<number | null>,
    { limit, after }: Partial<PageRequest<RestaurantDay>>,
  ): Promise<IncompleteDay[]> {
    const { restaurantId, date } = after ?? { restaurantId: 0, date: '0001-01-01' };
    return this.database.run(FIND_MISSING, [...valuesOf(filter), restaurantId, date, limit ?? null]);
  }

  /** By restaurant; `after` is the id of one. */
  readCalendar(filter: ReportFilter, today: string, { limit, after }: PageRequest<number>): Promise<CalendarRow[]> {
    return this.database.run(READ_CALENDAR, [...valuesOf(filter), today, after ?? 0, limit]);
  }

  readTotals(filter: ReportFilter): Promise<string> {
    return this.readJson(READ_TOTALS, valuesOf(filter));
  }

  private async readJson(statement: Statement, values: unknown[]): Promise<string> {
    const [row] = await this.database.run<{ json: string }>(statement, values);
    return row!.json;
  }
}

function valuesOf({ userId, restaurantIds, from, to }: ReportFilter<number | null>): unknown[] {
  return [userId, restaurantIds ?? null, from, to];
}
