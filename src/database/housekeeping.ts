import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Database } from './database.js';

const BATCH = 1000;
const INTERVAL_MS = 600_000;

/** Says which rows of a table are no longer needed. */
export interface Deletion {
  readonly table: string;
  /** Columns of the primary key, with commas between them. */
  readonly key: string;
  /** The condition, with its parameters in `values`, which are asked for at each run. */
  readonly where: string;
  readonly values?: () => readonly unknown[];
}

/** Deletes rows that are no longer needed in batches, and runs further tasks, every ten minutes. */
@Injectable()
export class Housekeeping implements OnModuleDestroy {
  private readonly logger = new Logger('Housekeeping');
  private readonly tasks: (() => Promise<unknown>)[] = [];
  private readonly timer = setInterval(() => void this.run(), INTERVAL_MS).unref();

  constructor(private readonly database: Database) {}

  /** Lets rows be deleted. */
  add(deletion: Deletion): void {
    this.addTask(() => this.delete(deletion));
  }

  addTask(task: () => Promise<unknown>): void {
    this.tasks.push(task);
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  async run(): Promise<void> {
    for (const task of this.tasks)
      await task().catch((error: unknown) => this.logger.warn(`a task failed: ${String(error)}`));
  }

  /** Deletes what is no longer needed of one table, and returns the number of rows. */
  async delete({ table, key, where, values = () => [] }: Deletion): Promise<number> {
    // Rows that another instance is deleting are skipped.
    const rows = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
    const text = `DELETE FROM ${table} WHERE (${key}) IN (${rows}) RETURNING true`;
    const statement = { name: `delete_old_${table}`, text };
    let count = 0;
    for (;;) {
      const { length } = await this.database.run(statement, [...values()]);
      count += length;
      if (length < BATCH) return count;
    }
  }
}
