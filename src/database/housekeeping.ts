import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Database } from './database.js';
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
  private readonly deletions: { readonly batch: Statement; readonly values: () => unknown[] }[] = [];
  private due = 0;
  private stopping = false;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {}

  /** `batch` is made by `deleteBatch`; `values` are its parameters, asked for each time. */
  add(batch: Statement, values: () => unknown[] = () => []): void {
    this.deletions.push({ batch, values });
  }

  begin(): void {
    if (performance.now() < this.due) return;
    this.due = performance.now() + INTERVAL_MS;
    this.running = this.run();
  }

  async run(): Promise<void> {
    for (const { batch, values } of this.deletions) {
      try {
        while (!this.stopping && (await this.database.run(batch, values())).length >= BATCH);
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
