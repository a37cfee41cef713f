import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Statement } from './statement.js';

const BATCH = 1000;
const INTERVAL_MS = 600_000;

/** Deletes some rows of a table; skips those that another instance is deleting. */
export function deleteBatch(table: string, key: string, condition: string): Statement {
  const some = `SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
  return { name: `delete_old_${table}`, text: `DELETE FROM ${table} WHERE (${key}) IN (${some}) RETURNING true` };
}

/** Deletes rows that are no longer needed, in batches. Triggered by logins, at most every ten minutes. */
@Injectable()
export class Housekeeping implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Housekeeping');
  private readonly tasks: (() => Promise<number>)[] = [];
  private due = 0;
  private stopping = false;
  private running: Promise<void> = Promise.resolve();

  /** `task` deletes one batch and returns how many rows it deleted. */
  add(task: () => Promise<number>): void {
    this.tasks.push(task);
  }

  begin(): void {
    if (performance.now() < this.due) return;
    this.due = performance.now() + INTERVAL_MS;
    this.running = this.run();
  }

  async run(): Promise<void> {
    for (const task of this.tasks) {
      try {
        while (!this.stopping && (await task()) >= BATCH);
      } catch (error) {
        this.logger.warn(`old rows were not deleted: ${String(error)}`);
      }
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.running;
  }
}
