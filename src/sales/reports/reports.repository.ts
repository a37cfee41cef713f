import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database.js';
import type { RestaurantDay } from './day-cursor.js';
import { FIND_MISSING, READ_DAY, READ_UPLOADS } from './reports.statements.js';

/** Selects days; dates are YYYY-MM-DD, both included. */
export interface DayFilter {
  readonly from: string;
  readonly to: string;
  /** Only restaurants that this user may upload for; null: all. */
  readonly userId: number | null;
  /** Only this restaurant; null: all. */
  readonly restaurantId: number | null;
}

/** A day with missing hours, in the names of the API. */
export interface MissingDay {
  readonly restaurant_id: number;
  readonly name: string;
  readonly date: string;
  /** `missing` if no hour was uploaded. */
  readonly status: 'missing' | 'partial';
  readonly missing_hours: number[];
}

/** A page of a longer list: at most `limit` entries after a position. */
export interface Page<Position> {
  readonly limit: number;
  readonly after?: Position | undefined;
}

/** Reads uploaded days. PostgreSQL writes everything that holds amounts as JSON text. */
@Injectable()
export class ReportsRepository {
  constructor(private readonly database: Database) {}

  readDay({ restaurantId, date }: RestaurantDay): Promise<string> {
    return this.readJson(READ_DAY, [restaurantId, date]);
  }

  /** Newest first; the position is an upload's number within the day. */
  readUploads({ restaurantId, date }: RestaurantDay, { limit, after }: Page<number>): Promise<string> {
    return this.readJson(READ_UPLOADS, [restaurantId, date, after ?? 2_147_483_647, limit]);
  }

  /** By restaurant and date; all of them without a limit. */
  findMissing(filter: DayFilter, { limit, after }: Partial<Page<RestaurantDay>>): Promise<MissingDay[]> {
    const { from, to, userId, restaurantId } = filter;
    const { restaurantId: afterId, date } = after ?? { restaurantId: 0, date: '0001-01-01' };
    return this.database.run(FIND_MISSING, [from, to, userId, afterId, date, limit ?? null, restaurantId]);
  }

  private async readJson(statement: Statement, values: unknown[]): Promise<string> {
    const [row] = await this.database.run<{ json: string }>(statement, values);
    return row!.json;
  }
}
