import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Database } from './database.js';

const BATCH = 1000;
const INTERVAL_MS = 600_000;

/** Says which rows of a table are no longer needed. */
export interface Deletion {
  readonly table: string;
  /** Columns of the primary key, with commas between them. */
  readonly key: string;
  /** The condition in SQL. */
  readonly where: string;
  /** The parameters of the condition. */
  readonly values?: readonly unknown[];
}

/** Deletes rows that are no longer needed, in batches and every ten minutes. */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Housekeeping');
  private readonly deletions: Deletion[] = [];
  private timer: NodeJS.Timeout | undefined;
  private stopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {}

  add(deletion: Deletion): void {
    this.deletions.push(deletion);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.run();
    }, INTERVAL_MS).unref();
  }

  async run(): Promise<void> {
    for (const deletion of this.deletions) {
      try {
        await this.delete(deletion);
      } catch (error) {
        this.logger.warn(`old rows were not deleted: ${String(error)}`);
      }
    }
  }

  /** Deletes what is no longer needed of one table, and returns the number of rows. */
  async delete({ table, key, where, values = [] }: Deletion): Promise<number> {
    // Rows that another instance is deleting are skipped.
    const some = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
    const text = `DELETE FROM ${table} WHERE (${key}) IN (${some}) RETURNING true`;
    const statement = { name: `delete_old_${table}`, text };
    let count = 0;
    let deleted = BATCH;
    while (deleted === BATCH && !this.stopping) {
      deleted = (await this.database.run(statement, [...values])).length;
      count += deleted;
    }
    return count;
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping = true;
    await this.running;
  }
}
