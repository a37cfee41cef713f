import { Injectable } from '@nestjs/common';
import { Client, type QueryResultRow } from 'pg';
import { AppConfig } from '../config/app-config.js';
import { DATABASE_LIMITS } from './connection-options.js';

/** How many rows are fetched at once; with 500 of 5 kB the process was seen to grow by 80 MB. */
const BATCH = 100;

/**
 * Reads what is too much to hold: one statement's rows as they come, as fast as they are taken, over a connection of
 * its own, as of one moment and without a limit of time.
 */
@Injectable()
export class RowStreams {
  constructor(private readonly config: AppConfig) {}

  /** The statement's rows. Ends the connection when it is through, or when the reader stops. */
  async *read<Row extends QueryResultRow>(text: string, values: readonly unknown[]): AsyncGenerator<Row, void, undefined> {
    const client = new Client({
      connectionString: this.config.DATABASE_URL,
      application_name: 'sales-upload stream',
      keepAlive: true,
      connectionTimeoutMillis: DATABASE_LIMITS.connect,
    });
    client.on('error', () => undefined); // unheard, it would end the process; the next query fails of it
    await client.connect();
    try {
      await client.query('BEGIN READ ONLY; SET LOCAL statement_timeout = 0');
      await client.query(`DECLARE stream NO SCROLL CURSOR FOR ${text}`, [...values]);
      for (let fetched = BATCH; fetched === BATCH; ) {
        const { rows } = await client.query<Row>(`FETCH ${BATCH} FROM stream`);
        fetched = rows.length;
        yield* rows;
      }
    } finally {
      await client.end();
    }
  }
}
