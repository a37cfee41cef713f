import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

const COUNT_PARTITIONS = {
  name: 'count_partitions_of_month',
  text: `
    SELECT count(*)::integer AS count FROM pg_inherits
    WHERE inhrelid IN (to_regclass('uploads_' || $1), to_regclass('hourly_sales_' || $1))`,
};

const INSERT_MONTH = {
  name: 'insert_archived_month',
  text: 'INSERT INTO archived_months (month, uploads, sha256) VALUES ($1, $2, $3)',
};

/** Of uploads, which are never changed. */
const sizeOf = (partition: string): string => `SELECT count(*)::integer AS uploads FROM uploads_${partition}`;

/** Months are YYYY-MM. */
@Injectable()
export class ArchiveRepository {
  constructor(private readonly database: Database) {}

  async hasPartitions(month: string): Promise<boolean> {
    const [row] = await this.database.run<{ count: number }>(COUNT_PARTITIONS, [suffixOf(month)]);
    return row!.count === 2;
  }

  async countUploads(month: string): Promise<number> {
    return (await this.database.readSlowly<{ uploads: number }>(sizeOf(suffixOf(month)))).uploads;
  }

  copyUploads(month: string): AsyncGenerator<Buffer> {
    const rows = `SELECT * FROM uploads_${suffixOf(month)} ORDER BY restaurant_id, date, number`;
    return this.database.streamCopy(rows, 'csv, HEADER');
  }

  /** Detaches the month if it still has so many uploads; returns whether it had. */
  detach(month: string, uploads: number, sha256: string): Promise<boolean> {
    const suffix = suffixOf(month);
    return this.database.transaction(async (transaction) => {
      const { manager } = transaction;
      // in the order in which an upload takes them
      await manager.query('LOCK TABLE hourly_sales, uploads IN ACCESS EXCLUSIVE MODE');
      const [now] = await manager.query<{ uploads: number }[]>(sizeOf(suffix));
      if (now?.uploads !== uploads) return false;
      for (const table of ['hourly_sales', 'uploads'])
        await manager.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_${suffix}`);
      await transaction.run(INSERT_MONTH, [`${month}-01`, uploads, sha256]);
      return true;
    });
  }
}

function suffixOf(month: string): string {
  return month.replace('-', '_');
}
