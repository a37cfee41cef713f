import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Client, PoolClient, QueryResultRow } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DataSource, type EntityManager } from 'typeorm';
import { DatabaseConfig } from '../config/database.config.js';
import { gauge } from '../metrics/gauge.js';
import { openConnection, poolSizes } from './connections.js';
import { StatementPool } from './statement-pool.js';
import type { Statement } from './statement.js';

const ROWS_PER_FETCH = 100;

/** null: the owner of the function lacks pg_read_all_stats. */
const COUNT_STANDBYS = {
  name: 'count_synchronous_standbys',
  text: 'SELECT count_synchronous_standbys() AS count',
};

/**
 * Runs statements, transactions and long queries on PostgreSQL.
 *
 * Statements have a pool of their own. Transactions use that of TypeORM, which its repositories use as well. A module
 * that needs connections to another address makes a `StatementPool`.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly pool: StatementPool;

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: DatabaseConfig,
  ) {
    const pool = new StatementPool(config, { max: poolSizes(config).statements });
    this.pool = pool;
    gauge(
      'database_connections',
      'Connections that run statements, idle ones included',
      () => pool.totalCount,
    );
    gauge(
      'database_connections_idle',
      'Connections that run statements and are idle',
      () => pool.idleCount,
    );
    gauge(
      'database_connections_awaited',
      'Statements that wait for a connection',
      () => pool.waitingCount,
    );
    gauge('database_synchronous_standbys', 'NaN if unknown', () => this.countStandbys());
  }

  /** Runs a statement that is prepared once a connection. See docs/performance.md#prepared */
  run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.pool.run(statement, values);
  }

  /** Commits everything that `work` does with the transaction, or nothing if it throws. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      const client = (await manager.queryRunner!.connect()) as PoolClient;
      const result = await work(new Transaction(manager));
      // PostgreSQL would roll back and report no error.
      if (client.getTransactionStatus() === 'E')
        throw new Error('a statement of the transaction failed');
      return result;
    });
  }

  /** Reads the rows of one snapshot, without a time limit and on a connection of their own. */
  async *streamRows<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): AsyncGenerator<Row> {
    const client = await this.beginReading();
    try {
      await client.query(`DECLARE stream NO SCROLL CURSOR FOR ${text}`, [...values]);
      for (let fetched = ROWS_PER_FETCH; fetched === ROWS_PER_FETCH;) {
        const { rows } = await client.query<Row>(`FETCH ${ROWS_PER_FETCH} FROM stream`);
        fetched = rows.length;
        yield* rows;
      }
    } finally {
      await client.end();
    }
  }

  /** Reads the only row of a query that may take long. */
  async readSlowly<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row> {
    for await (const row of this.streamRows<Row>(text, values)) return row;
    throw new Error('the query returned no row');
  }

  /** Reads the rows of one snapshot as PostgreSQL writes them; COPY takes no parameters. See docs/performance.md#copy */
  async *streamCopy(text: string, format: 'csv, HEADER' | 'text'): AsyncGenerator<Buffer> {
    const client = await this.beginReading();
    const output = client.query(copyTo(`COPY (${text}) TO STDOUT (FORMAT ${format})`));
    try {
      client.on('end', () => output.destroy(new Error('the database ended the connection')));
      for await (const chunk of output) yield chunk as Buffer;
    } finally {
      client.removeAllListeners('end');
      // If the reader stopped early, PostgreSQL is blocked on sending and will not see Terminate.
      if (output.readableEnded) await client.end();
      else client.connection.stream.destroy();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  private async countStandbys(): Promise<number> {
    const [row] = await this.run<{ count: number | null }>(COUNT_STANDBYS, []).catch(() => []);
    return row?.count ?? NaN;
  }

  private async beginReading(): Promise<Client> {
    const client = await openConnection(this.config, 'sales-upload stream');
    await client.query(
      'BEGIN READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL datestyle = ISO',
    );
    return client;
  }
}

/** Runs statements and operations of TypeORM in one transaction, on one connection. */
export class Transaction {
  constructor(readonly manager: EntityManager) {}

  async run<Row extends QueryResultRow>({ text }: Statement, values: unknown[]): Promise<Row[]> {
    const { records } = await this.manager.queryRunner!.query(text, values, true);
    return records as Row[];
  }
}
