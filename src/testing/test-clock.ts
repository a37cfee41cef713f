import { Clock, type Time } from '../config/business-calendar.js';
import type { Database } from '../database/database.js';

const SET_CLOCK = 'UPDATE testing.clock SET ahead = make_interval(secs => $1)';

/** The clock of one test server and its database; it goes on from the time that it was set to. */
export class TestClock extends Clock {
  private ahead = 0;

  override now(): number {
    return Date.now() + this.ahead;
  }

  async set(time: Time, database: Database): Promise<void> {
    const ahead = new Date(time).getTime() - Date.now();
    if (Number.isNaN(ahead)) throw new Error(`not a time: ${String(time)}`);
    await database.run({ name: 'set_test_clock', text: SET_CLOCK }, [ahead / 1000]);
    this.ahead = ahead;
  }
}
