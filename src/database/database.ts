import { Injectable } from '@nestjs/common';
import { Client, type Pool, type QueryResultRow } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DataSource, type EntityManager } from 'typeorm';
import { DatabaseConfig } from '../config/database.config.js';
import { timeLimits } from '../config/time-limits.js';
import { abandonAfter, connectionOptions, poolOf } from './connections.js';
import { inTime } from './timed-pool.js';

const ROWS_PER_FETCH = 100;

/**
 * A statement that each connection prepares once, under a name that is unique in the service. One
 * without a name is planned anew each time, for its values.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** Runs prepared statements, transactions and long queries, on the pool of TypeORM. */
@Injectable()
export class Database {
  readonly limits: ReturnType<typeof timeLimits>;
  private readonly pool: Pool;

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: DatabaseConfig,
  ) {
    this.limits = timeLimits(config);
    this.pool = poolOf(dataSource);
  }

  /**
   * Runs a statement, prepared once per connection if the settings allow it. Unprepared statements
   * gave 0.66 to 0.81 of the uploads per second.
   */
  async run<Row extends QueryResultRow>(
    { name, text }: Statement,
    values: unknown[],
    transaction?: EntityManager,
  ): Promise<Row[]> {
    if (transaction) return transaction.query<Row[]>(text, values);
    const isPrepared = this.config.DATABASE_PREPARED_STATEMENTS;
    const client = await this.pool.connect();
    try {
      const { rows } = await client.query<Row>({
        text,
        values,
        ...(isPrepared && name && { name }),
      });
      return rows;
    } catch (error) {
      abandonAfter(error, client, this.pool);
      throw error;
    } finally {
      client.release();
    }
  }

  /** Commits everything that `work` does with the manager, or nothing if it throws. */
  transaction<Result>(work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      const result = await work(manager);
      // If `work` caught the error of a statement, COMMIT would roll back silently; this throws.
      await manager.query('SELECT');
      return result;
    });
  }

  /** Runs reads that all see what is stored at one moment. */
  snapshot<Result>(read: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction('REPEATABLE READ', read);
  }

  /** Reads the rows of one snapshot, without a time limit and on a connection of its own. */
  async *streamRows<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): AsyncGenerator<Row> {
    const client = await this.beginReading();
    try {
      await client.query(`DECLARE stream NO SCROLL CURSOR FOR ${text}`, [...values]);
      let rows: Row[];
      do {
        rows = (await client.query<Row>(`FETCH ${ROWS_PER_FETCH} FROM stream`)).rows;
        yield* rows;
      } while (rows.length === ROWS_PER_FETCH);
    } finally {
      await client.end();
    }
  }

  /**
   * Reads a snapshot as bytes, by one query or several, each within a time limit unless that is 0;
   * COPY takes no parameters. Bytes take 90 MB less than strings for an export of 10 million rows.
   */
  async *streamCopy(
    queries: string | Iterable<string>,
    format: 'csv' | 'csv, HEADER' | 'text',
    maxMs = 0,
  ): AsyncGenerator<Buffer> {
    const client = await this.beginReading(maxMs);
    try {
      for (const text of typeof queries === 'string' ? [queries] : queries)
        yield* client.query(copyTo(`COPY (${text}) TO STDOUT (FORMAT ${format})`));
    } finally {
      await client.end(); // breaks the connection if the reader has stopped early
    }
  }

  private async beginReading(maxMs = 0): Promise<Client> {
    const options = connectionOptions(this.config);
    const client = new Client({
      ...options,
      application_name: 'sales-upload stream',
      query_timeout: undefined,
    });
    client.on('error', () => undefined); // unhandled, it would end the process
    await inTime(options.connectionTimeoutMillis!, () => client.connect());
    // A client may read the rows slowly.
    await client.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
        SET LOCAL statement_timeout = ${maxMs}; SET LOCAL datestyle = ISO;
        SET LOCAL idle_in_transaction_session_timeout = 0`,
    );
    return client;
  }
}
