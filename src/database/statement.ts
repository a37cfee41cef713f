import type { PoolClient, QueryResultRow } from 'pg';
import type { AppConfig } from '../config/app-config.js';
import { inSpan } from '../metrics/tracing.js';

export interface Statement {
  /** Unique in the service. */
  readonly name: string;
  readonly text: string;
  /** Runs instead on a distributed database; see docs/scaling.md */
  readonly distributedText?: string;
}

/** Runs a statement on a connection, which prepares it once. */
export async function runStatement<Row extends QueryResultRow>(
  client: PoolClient,
  { name, text }: Statement,
  values: unknown[],
  { DATABASE_PREPARED_STATEMENTS }: AppConfig,
): Promise<Row[]> {
  const query = DATABASE_PREPARED_STATEMENTS ? { name, text, values } : { text, values };
  return (await inSpan(`statement ${name}`, () => client.query<Row>(query))).rows;
}
