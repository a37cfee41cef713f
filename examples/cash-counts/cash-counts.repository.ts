import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { escapeLiteral } from 'pg';
import type { EntityManager, Repository } from 'typeorm';
import { Database } from '../../src/database/database.js';
import type { PageRequest } from '../../src/database/page.js';
import { CashCountLine } from './cash-count-line.entity.js';
import { CashCount } from './cash-count.entity.js';

/** Takes the row of the day, which makes two writers of one day wait for each other. */
const LOCK_DAY = `
  INSERT INTO cash_counts (restaurant_id, date, user_id) VALUES ($1, $2, $3)
  ON CONFLICT (restaurant_id, date) DO UPDATE SET user_id = excluded.user_id
  RETURNING xmax = 0 AS is_new`;

/** Adds up in decimals, which JavaScript cannot. */
const SUM_DAY = {
  name: 'sum_cash_count',
  text: 'SELECT sum(amount)::text AS total FROM cash_count_lines WHERE restaurant_id = $1 AND date = $2',
};

const FIND_PAGE = {
  name: 'find_cash_count_lines',
  text: `
    SELECT date::text, drawer, amount::text FROM cash_count_lines
    WHERE restaurant_id = $1 AND date BETWEEN $2 AND $3 AND (date, drawer) > ($4, $5)
    ORDER BY date, drawer LIMIT $6`,
};

/** A range of days, YYYY-MM-DD, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
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
  async findPage(
    restaurantId: number,
    { from, to }: Days,
    { limit, after }: PageRequest<{ date: string; drawer: string }>,
  ): Promise<CashCountLine[]> {
    const { date, drawer } = after ?? { date: from, drawer: '' };
    const values = [restaurantId, from, to, date, drawer, limit + 1];
    const rows = await this.database.run<Record<'date' | 'drawer' | 'amount', string>>(
      FIND_PAGE,
      values,
    );
    return rows.map((row) => ({ ...row, restaurantId, amount: Number(row.amount) }));
  }

  exportCsv({ from, to }: Days): AsyncIterable<Buffer> {
    const text = `
      SELECT * FROM cash_count_lines
      WHERE date BETWEEN ${escapeLiteral(from)} AND ${escapeLiteral(to)}
      ORDER BY restaurant_id, date, drawer`;
    return this.database.streamCopy(text, 'csv, HEADER');
  }
}
