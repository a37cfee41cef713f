import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { escapeLiteral } from 'pg';
import type { EntityManager, Repository } from 'typeorm';
import { Database } from '../../src/database/database.js';
import type { PageRequest } from '../../src/database/page.js';
import { MAX_INTEGER } from '../../src/http/validation/fields.decorator.js';
import { CashCount } from './cash-count.entity.js';
import { CashCountLine } from './cash-count-line.entity.js';

/** Locks the row of the day, so that two writers of one day wait for each other. */
const LOCK_DAY = `
  INSERT INTO cash_counts (restaurant_id, date, user_id) VALUES ($1, $2, $3)
  ON CONFLICT (restaurant_id, date) DO UPDATE SET user_id = excluded.user_id
  RETURNING xmax = 0 AS is_new`;

/** Adds up in decimals, which JavaScript cannot. */
const SUM_DAY = {
  name: 'sum_cash_count',
  text: `
    SELECT sum(amount)::text AS total FROM cash_count_lines
    WHERE restaurant_id = $1 AND date = $2`,
};

const FIND_PAGE = {
  name: 'find_cash_count_lines',
  text: `
    SELECT restaurant_id AS "restaurantId", l.date::text, drawer, amount::float8 AS amount, kind, note
    FROM cash_count_lines AS l
    WHERE restaurant_id = $1 AND date BETWEEN $2 AND $3 AND ($4::text IS NULL OR drawer = $4)
      AND (date, drawer) > ($5, $6)
    -- "ORDER BY date" alone would mean the text, whose order no index has
    ORDER BY l.date, drawer LIMIT $7`,
};

/** Finds which of some restaurants have counted a day. */
const FIND_COUNTED = {
  name: 'find_counted_cash_counts',
  text: `
    SELECT restaurant_id FROM cash_counts
    WHERE restaurant_id = ANY ($1) AND date = $2 ORDER BY restaurant_id`,
};

/** A range of days, YYYY-MM-DD, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The day and the drawer of the last line of a page. */
export type LinePosition = Pick<CashCountLine, 'date' | 'drawer'>;

/** Which lines of a restaurant to list. */
export interface LinesSelection extends Days {
  readonly restaurantId: number;
  readonly drawer: string | undefined;
}

/** Reads and writes the tables of the cash counts. */
@Injectable()
export class CashCountsRepository {
  constructor(
    @InjectRepository(CashCountLine) private readonly lines: Repository<CashCountLine>,
    private readonly database: Database,
  ) {}

  /** Tells whether the day is new; other writers of the day wait for the end of the transaction. */
  async lockDay(count: CashCount, transaction: EntityManager): Promise<boolean> {
    const values = [count.restaurantId, count.date, count.userId];
    const [row] = await transaction.query<{ is_new: boolean }[]>(LOCK_DAY, values);
    return row!.is_new;
  }

  async replaceLines(
    { restaurantId, date }: CashCount,
    lines: readonly CashCountLine[],
    transaction: EntityManager,
  ): Promise<void> {
    await transaction.delete(CashCountLine, { restaurantId, date });
    await transaction.insert(CashCountLine, [...lines]);
  }

  /** Tells whether there was a count; its lines go with it. */
  async delete(restaurantId: number, date: string, transaction: EntityManager): Promise<boolean> {
    const { affected } = await transaction.delete(CashCount, { restaurantId, date });
    return affected === 1;
  }

  findDay(restaurantId: number, date: string): Promise<CashCountLine[]> {
    return this.lines.find({ where: { restaurantId, date }, order: { drawer: 'ASC' } });
  }

  async sumDay(restaurantId: number, date: string): Promise<string | null> {
    const [row] = await this.database.run<{ total: string | null }>(SUM_DAY, [restaurantId, date]);
    return row!.total;
  }

  /** Reads one line more than the page has, which shows whether there is a next page. */
  findPage(
    { restaurantId, from, to, drawer }: LinesSelection,
    { limit, after = { date: from, drawer: '' } }: PageRequest<LinePosition>,
  ): Promise<CashCountLine[]> {
    return this.database.run<CashCountLine>(FIND_PAGE, [
      restaurantId,
      from,
      to,
      drawer,
      after.date,
      after.drawer,
      limit + 1,
    ]);
  }

  async findCounted(restaurantIds: readonly number[], date: string): Promise<number[]> {
    const rows = await this.database.run<{ restaurant_id: number }>(FIND_COUNTED, [
      restaurantIds,
      date,
    ]);
    return rows.map(({ restaurant_id }) => restaurant_id);
  }

  /** Reads the lines of one restaurant, or of all. */
  exportCsv({ from, to }: Days, restaurantId?: number): AsyncIterable<Buffer> {
    const first = String(restaurantId ?? 1);
    const last = String(restaurantId ?? MAX_INTEGER);
    const text = `
      SELECT * FROM cash_count_lines
      WHERE restaurant_id BETWEEN ${escapeLiteral(first)} AND ${escapeLiteral(last)}
        AND date BETWEEN ${escapeLiteral(from)} AND ${escapeLiteral(to)}
      ORDER BY restaurant_id, date, drawer`;
    return this.database.streamCopy(text, 'csv, HEADER');
  }
}
