import type { DatabaseError } from 'pg';
import { type DataSource, QueryFailedError } from 'typeorm';
import { findMissingMigrations } from './migrate.js';

const READ_ONLY = '25006';

/** Throws as a write would, so that a session that is read-only is closed. */
const ASSERT_WRITABLE = `DO $$ BEGIN
  IF current_setting('transaction_read_only')::boolean THEN
    RAISE 'read-only' USING ERRCODE = '${READ_ONLY}';
  END IF;
END $$`;

const READ_CLOCK = 'SELECT extract(epoch FROM now())::float8 * 1000 AS now';

/** Says what the service must know of the database before it can work. */
export async function readState(dataSource: DataSource) {
  const missingMigrations = await findMissingMigrations(dataSource);
  const isWritable = await dataSource.query(ASSERT_WRITABLE).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof QueryFailedError)) throw error;
      if ((error.driverError as DatabaseError).code !== READ_ONLY) throw error;
      return false;
    },
  );
  // The clock of PostgreSQL is read in milliseconds, as that of Node is.
  const [{ now }] = await dataSource.query<[{ now: number }]>(READ_CLOCK);
  return { missingMigrations, isWritable, now };
}
