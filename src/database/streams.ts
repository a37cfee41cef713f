import type { Client, QueryResultRow } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

const ROWS_PER_FETCH = 100;

export async function* fetchRows<Row extends QueryResultRow>(
  open: () => Promise<Client>,
  text: string,
  values: readonly unknown[],
): AsyncGenerator<Row> {
  const client = await begin(open);
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

/** See docs/performance.md#copy */
export async function* copyOut(
  open: () => Promise<Client>,
  text: string,
  format: 'csv, HEADER' | 'text',
): AsyncGenerator<Buffer> {
  const client = await begin(open);
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

async function begin(open: () => Promise<Client>): Promise<Client> {
  const client = await open();
  await client.query('BEGIN READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL datestyle = ISO');
  return client;
}
