import { Logger } from '@nestjs/common';
import { DatabaseError, Pool, type PoolConfig, type QueryResultRow } from 'pg';
import type { DatabaseConfig } from '../config/database.config.js';
import { cancelStatement } from './cancel-statement.js';
import { poolOptions } from './connections.js';
import type { Statement } from './statement.js';

const logger = new Logger('Database');

/** A pool of connections, which run prepared statements within time limits. */
export class StatementPool extends Pool {
  constructor(
    private readonly config: DatabaseConfig,
    changes: PoolConfig,
  ) {
    super({ ...poolOptions(config), ...changes });
    this.on('connect', (client) => client.on('error', () => undefined)); // unhandled, it would end the process
    this.on('error', ({ message }) => logger.warn(`an idle connection was lost: ${message}`));
  }

  async run<Row extends QueryResultRow>(
    { name, text }: Statement,
    values: unknown[],
  ): Promise<Row[]> {
    const query = this.config.DATABASE_PREPARED_STATEMENTS
      ? { name, text, values }
      : { text, values };
    const client = await this.connect();
    try {
      const { rows } = await client.query<Row>(query);
      client.release();
      return rows;
    } catch (error) {
      if (error instanceof DatabaseError) client.release(error.severity === 'FATAL');
      else {
        void cancelStatement(client).finally(() => client.release(true));
        this.dropIdle();
      }
      throw error;
    }
  }

  /** Where one connection does not respond, the others may be as dead. */
  private dropIdle(): void {
    for (let idle = this.idleCount; idle > 0; idle--)
      void this.connect().then(
        (client) => client.release(true),
        () => undefined,
      );
  }
}
