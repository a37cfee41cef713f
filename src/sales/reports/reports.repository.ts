import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { RestaurantDay } from './day-cursor.js';
import { FIND_MISSING } from './find-missing.statement.js';
import { READ_DAY } from './read-day.statement.js';
import { READ_UPLOADS } from './read-uploads.statement.js';

/** Which days are asked for, and whose; dates are YYYY-MM-DD. */
export interface DayFilter {
  readonly from: string;
  readonly to: string;
  /** Only restaurants that this user may upload for; null: all. */
  readonly userId: number | null;
  /** Only this restaurant; null: all. */
  readonly restaurantId: number | null;
}

/** A day of which hours are missing. */
export interface IncompleteDay {
  readonly restaurant_id: number;
  readonly name: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** Bit h is set where hour h was uploaded. */
  readonly hours: number;
}

/** A page of a longer list: so many entries, beginning after one. */
export interface Page<Position> {
  readonly limit: number;
  readonly after?: Position | undefined;
}

/** Reads what was uploaded. What carries amounts is JSON text, made by PostgreSQL. */
@Injectable()
export class ReportsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async readDay({ restaurantId, date }: RestaurantDay): Promise<string> {
    return (await this.dataSource.query<[{ json: string }]>(READ_DAY, [restaurantId, date]))[0].json;
  }

  /** Newest first; the position is an upload's number within the day. */
  async readUploads({ restaurantId, date }: RestaurantDay, { limit, after }: Page<number>): Promise<string> {
    const values = [restaurantId, date, after ?? 2_147_483_647, limit];
    return (await this.dataSource.query<[{ json: string }]>(READ_UPLOADS, values))[0].json;
  }

  /** In the order of restaurants and, within them, dates; all of them where no limit is given. */
  findMissing(filter: DayFilter, { limit, after }: Partial<Page<RestaurantDay>>): Promise<IncompleteDay[]> {
    const { from, to, userId, restaurantId } = filter;
    const { restaurantId: afterId, date } = after ?? { restaurantId: 0, date: '0001-01-01' };
    return this.dataSource.query(FIND_MISSING, [from, to, userId, afterId, date, limit ?? null, restaurantId]);
  }
}
