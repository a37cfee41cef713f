import { Clock, type Time } from '../config/business-calendar.js';
import type { Database } from '../database/database.js';

/** Makes PostgreSQL find the functions of TEST_CLOCK before its own. */
export const TEST_SEARCH_PATH = 'public, testing, pg_catalog';

/** SQL to run before the migrations: a column's default is bound when its table is created. */
export const TEST_CLOCK = `
  CREATE SCHEMA testing;
  CREATE TABLE testing.clock AS SELECT interval '0' AS ahead;
  CREATE FUNCTION testing.now() RETURNS timestamptz STABLE
    RETURN pg_catalog.now() + (SELECT ahead FROM testing.clock);
  CREATE FUNCTION testing.clock_timestamp() RETURNS timestamptz VOLATILE
    RETURN pg_catalog.clock_timestamp() + (SELECT ahead FROM testing.clock);
  GRANT USAGE ON SCHEMA testing TO sales_service;
  GRANT SELECT, UPDATE ON testing.clock TO sales_service`;

const SET_TEST_CLOCK = {
  name: 'set_test_clock',
  text: 'UPDATE testing.clock SET ahead = make_interval(secs => $1)',
};

/** The clock of one test server and its database; it goes on from the time that it was set to. */
export class TestClock extends Clock {
  private ahead = 0;

  override now(): number {
    return Date.now() + this.ahead;
  }

  async set(time: Time, database: Database): Promise<void> {
    const ahead = new Date(time).getTime() - Date.now();
    if (Number.isNaN(ahead)) throw new Error(`not a time: ${String(time)}`);
    await database.run(SET_TEST_CLOCK, [ahead / 1000]);
    this.ahead = ahead;
  }
}
