import type { PoolClient, QueryResultRow } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { AppConfig } from '../config/app-config.js';
import { isReady } from './guarded-pool.js';
import { runStatement, type Statement } from './statement.js';

/** Runs the statements and TypeORM operations of one transaction. */
export class Transaction {
  constructor(
    private readonly runner: QueryRunner,
    private readonly config: AppConfig,
  ) {}

  get manager(): EntityManager {
    return this.runner.manager;
  }

  async run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]> {
    if (this.runner.isReleased) throw new Error(`${statement.name} was run after its transaction`);
    return runStatement(await connect(this.runner), statement, values, this.config);
  }
}

/** Commits what `work` does within the time limit, or nothing. */
export async function runInTransaction<Result>(
  runner: QueryRunner,
  config: AppConfig,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await connect(runner);
  try {
    await runner.startTransaction();
    const result = await within(config.RESPONSE_TIMEOUT_MS, work(new Transaction(runner, config)));
    // PostgreSQL would roll back and report no error.
    if (client.getTransactionStatus() === 'E') throw new Error('a statement of the transaction failed');
    await runner.commitTransaction();
    return result;
  } catch (error) {
    if (isReady(client)) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release(); // the pool closes connections in a transaction
  }
}

function connect(runner: QueryRunner): Promise<PoolClient> {
  return runner.connect() as Promise<PoolClient>;
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const error = new Error(`the transaction took longer than ${ms} ms`);
    timer = setTimeout(reject, ms, error);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
