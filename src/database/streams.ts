import { Injectable } from '@nestjs/common';
import { Client, type QueryResultRow } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { AppConfig } from '../config/app-config.js';
import { DATABASE_LIMITS } from './connection-options.js';

/** How many rows are fetched at once. */
const BATCH = 100;

/**
 * Reads what is too much to hold: one statement's rows, as fast as they are taken, over a connection of its own, as of
 * one moment and without a limit of time. The connection ends when all is read, or when the reader stops.
 */
@Injectable()
export class Streams {
  constructor(private readonly config: AppConfig) {}

  /** Rows as objects. */
  async *rows<Row extends QueryResultRow>(text: string, values: readonly unknown[]): AsyncGenerator<Row> {
    const client = await this.open();
    try {
      await client.query(`DECLARE stream NO SCROLL CURSOR FOR ${text}`, [...values]);
      for (let fetched = BATCH; fetched === BATCH;) {
        const { rows } = await client.query<Row>(`FETCH ${BATCH} FROM stream`);
        fetched = rows.length;
        yield* rows;
      }
    } finally {
      await client.end();
    }
  }

  /**
   * Rows as PostgreSQL writes them, in bytes: 10 million that became strings on the way were seen to take 90 MB more.
   * COPY takes no parameters: the statement must hold its values as literals.
   */
  async *copy(text: string, format: 'csv, HEADER' | 'text'): AsyncGenerator<Buffer> {
    const client = await this.open();
    const output = client.query(copyTo(`COPY (${text}) TO STDOUT (FORMAT ${format})`));
    try {
      client.on('end', () => output.destroy(new Error('the database ended the connection')));
      for await (const chunk of output) yield chunk as Buffer;
    } finally {
      client.removeAllListeners('end');
      // While the server has bytes to send that nobody takes any more, it hears no farewell.
      if (output.readableEnded) await client.end();
      else client.connection.stream.destroy();
    }
  }

  private async open(): Promise<Client> {
    const client = new Client({
      connectionString: this.config.DATABASE_URL,
      application_name: 'sales-upload stream',
      keepAlive: true,
      connectionTimeoutMillis: DATABASE_LIMITS.connect,
    });
    client.on('error', () => undefined); // unheard, it would end the process; the query under way fails of it
    await client.connect();
    await client.query('BEGIN READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL datestyle = ISO');
    return client;
  }
}
