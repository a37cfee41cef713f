import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Statement } from '../../database/statement.js';
import type { RestaurantDay } from './day-cursor.js';
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

export interface IncompleteDay {
  readonly restaurant_id: number;
  readonly name: string;
  readonly date: string;
  /** One bit per uploaded hour. */
  readonly hours: number;
}

export interface Page<Position> {
  readonly limit: number;
  readonly after?: Position | undefined;
}

@Injectable()
export class ReportsRepository {
  constructor(private readonly database: Database) {}

  readDay({ restaurantId, date }: RestaurantDay): Promise<string> {
    return this.readJson(READ_DAY, [restaurantId, date]);
  }

  /** Newest first; `after` is the number of an upload. */
  readUploads({ restaurantId, date }: RestaurantDay, { limit, after }: Page<number>): Promise<string> {
    return this.readJson(READ_UPLOADS, [restaurantId, date, after ?? 2_147_483_647, limit]);
  }

  /** By restaurant and date; all of them without a limit. */
  findMissing(filter: DayFilter, { limit, after }: Partial<Page<RestaurantDay>>): Promise<IncompleteDay[]> {
    const { from, to, userId, restaurantId } = filter;
    const { restaurantId: afterId, date } = after ?? { restaurantId: 0, date: '0001-01-01' };
    return this.database.run(FIND_MISSING, [from, to, userId, afterId, date, limit ?? null, restaurantId]);
  }

  private async readJson(statement: Statement, values: unknown[]): Promise<string> {
    const [row] = await this.database.run<{ json: string }>(statement, values);
    return row!.json;
  }
}
