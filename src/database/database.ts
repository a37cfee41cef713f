import { Injectable } from '@nestjs/common';
import { DatabaseError, type QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { AppConfig } from '../config/app-config.js';
import { gauge } from '../metrics/metrics.js';
import { openConnection } from './connections.js';
import { GuardedPool } from './guarded-pool.js';
import { copyOut, fetchRows } from './streams.js';

/** An SQL statement; no other statement of the service has its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs every statement of the repositories; each connection parses and plans it once. See docs/performance.md#prepared */
@Injectable()
export class Database {
  private readonly pool: GuardedPool;

  constructor(
    dataSource: DataSource,
    private readonly config: AppConfig,
  ) {
    const pool = (this.pool = poolOf(dataSource));
    gauge('database_connections', 'Connections of the pool, idle ones included', () => pool.totalCount);
    gauge('database_connections_idle', 'Connections of the pool that are idle', () => pool.idleCount);
    gauge('database_connections_awaited', 'Statements that wait for a connection', () => pool.waitingCount);
  }

  /** Returns the statement's rows. Throws what pg throws, and `CircuitOpen`; nothing is retried. */
  async run<Row extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const client = await this.pool.connect();
    try {
      const query = this.config.DATABASE_PREPARED_STATEMENTS ? statement : { text: statement.text };
      const { rows } = await client.query<Row>({ ...query, values });
      client.release();
      return rows;
    } catch (error) {
      client.release(!(error instanceof DatabaseError)); // an error response leaves the connection usable
      throw error;
    }
  }

  /** Streams rows that are too many to hold, as of one moment and without a limit of time. */
  streamRows<Row extends QueryResultRow>(text: string, values: readonly unknown[]): AsyncGenerator<Row> {
    return fetchRows<Row>(() => this.openStream(), text, values);
  }

  /** Streams rows as PostgreSQL writes them. COPY takes no parameters: the text must hold its values as literals. */
  streamCopy(text: string, format: 'csv, HEADER' | 'text'): AsyncGenerator<Buffer> {
    return copyOut(() => this.openStream(), text, format);
  }

  /** A stream has a connection of its own, so that long ones do not take those of requests. */
  private openStream() {
    return this.pool.guardConnect(() => openConnection(this.config, 'sales-upload stream'));
  }
}

/** Returns the pool of a TypeORM data source, which its public interface does not show. */
export function poolOf({ driver }: DataSource): GuardedPool {
  if ('master' in driver && driver.master instanceof GuardedPool) return driver.master;
  throw new Error('the data source is not made of dataSourceOptions()');
}
