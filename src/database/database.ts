import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DatabaseError, type Client, type QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { AppConfig } from '../config/app-config.js';
import { gauge } from '../metrics/metrics.js';
import { databaseLimits, openConnection, poolOptions } from './connections.js';
import { GuardedPool } from './guarded-pool.js';
import { runStatement, type Statement } from './statement.js';
import { copyOut, fetchRows } from './streams.js';
import { runInTransaction, type Transaction } from './transaction.js';

/** null: the owner of the function lacks pg_read_all_stats. */
const COUNT_STANDBYS = {
  name: 'count_synchronous_standbys',
  text: 'SELECT count_synchronous_standbys() AS count',
};

/** Citus has this catalog. */
const IS_DISTRIBUTED = {
  name: 'is_distributed',
  text: "SELECT to_regclass('pg_dist_partition') IS NOT NULL AS distributed",
};

/** Runs statements, transactions and long queries on PostgreSQL. */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly pool: GuardedPool;
  private readonly shardPool: GuardedPool;
  private distributed: Promise<boolean> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: AppConfig,
  ) {
    const pool = (this.pool = poolOf(dataSource));
    this.shardPool = new GuardedPool(poolOptions(config, config.UPLOADS_DATABASE_URL || config.DATABASE_URL));
    this.shardPool.on('error', () => undefined); // of idle connections
    gauge('database_connections', 'Connections of the pool, idle ones included', () => pool.totalCount);
    gauge('database_connections_idle', 'Connections of the pool that are idle', () => pool.idleCount);
    gauge('database_connections_awaited', 'Statements that wait for a connection', () => pool.waitingCount);
    gauge('database_synchronous_standbys', 'NaN if unknown', () => this.countStandbys(), 'max');
    gauge('database_circuit_open', '1 while statements fail at once after a timeout', () =>
      Number(pool.breaker.isOpen),
    );
  }

  /** See docs/performance.md#prepared */
  async run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const { name, distributedText: text } = statement;
    const isOther = text !== undefined && (await this.isDistributed());
    return this.runOn(this.pool, isOther ? { name, text } : statement, values);
  }

  /** Runs a statement that reaches one shard; a frozen node holds none of the other connections. */
  runOnShard<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.runOn(this.shardPool, statement, values);
  }

  /** A frozen node leaves half of the connections to the others. */
  get connectionsPerNode(): number {
    return Math.ceil(this.config.DATABASE_POOL_MAX / 2);
  }

  get startLimitMs(): number {
    return databaseLimits(this.config).start;
  }

  /** Asks once; a failure is not kept. */
  async isDistributed(): Promise<boolean> {
    this.distributed ??= this.runOn<{ distributed: boolean }>(this.pool, IS_DISTRIBUTED, []).then(
      ([row]) => row!.distributed,
      (error: unknown) => {
        this.distributed = undefined;
        throw error;
      },
    );
    return this.distributed;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.shardPool.end();
  }

  private async runOn<Row extends QueryResultRow>(
    pool: GuardedPool,
    statement: Statement,
    values: unknown[],
  ): Promise<Row[]> {
    const client = await pool.connect();
    try {
      const rows = await runStatement<Row>(client, statement, values, this.config);
      client.release();
      return rows;
    } catch (error) {
      client.release(!(error instanceof DatabaseError)); // usable after an error response
      throw error;
    }
  }

  /** Commits everything that `work` does with the transaction, or nothing if it throws. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return runInTransaction(this.dataSource.createQueryRunner(), this.config, work);
  }

  /** One snapshot, no time limit. */
  streamRows<Row extends QueryResultRow>(text: string, values: readonly unknown[]): AsyncGenerator<Row> {
    return fetchRows<Row>(() => this.openStream(), text, values);
  }

  /** Reads the only row of a query that may take long. */
  async readSlowly<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row> {
    for await (const row of this.streamRows<Row>(text, values)) return row;
    throw new Error('the query returned no row');
  }

  /** COPY takes no parameters. */
  streamCopy(text: string, format: 'csv, HEADER' | 'text'): AsyncGenerator<Buffer> {
    return copyOut(() => this.openStream(), text, format);
  }

  private async countStandbys(): Promise<number> {
    const [row] = await this.run<{ count: number | null }>(COUNT_STANDBYS, []).catch(() => []);
    return row?.count ?? NaN;
  }

  /** Leaves the pool's connections to requests. */
  private openStream(): Promise<Client> {
    return this.pool.openOutside(() => openConnection(this.config, 'sales-upload stream'));
  }
}

/** TypeORM hides its pool. */
export function poolOf({ driver }: DataSource): GuardedPool {
  if ('master' in driver && driver.master instanceof GuardedPool) return driver.master;
  throw new Error('the data source is not made of dataSourceOptions()');
}
