import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Database } from '../../database/database.js';

export interface Lock {
  readonly key: string;
  readonly lockedSeconds: number;
  readonly rejectionRecorded: boolean;
}

const IS_KEY = (key: string): string => `subject = split_part(${key}, ' ', 1) AND network = split_part(${key}, ' ', 2)`;

/** Reaching the limit locks and empties a counter; a locked one returns no row. */
const COUNT_FAILURE = {
  name: 'count_login_failure',
  text: `
    INSERT INTO login_failures AS f (subject, network, failed_at, locked_until, expires_at)
    VALUES (split_part($1, ' ', 1), split_part($1, ' ', 2), CASE WHEN $2::integer > 1 THEN ARRAY[now()] ELSE '{}' END,
      CASE WHEN $2 <= 1 THEN now() + make_interval(secs => $4) END, now() + make_interval(secs => greatest($3, $4)))
    ON CONFLICT (subject, network) DO UPDATE
      SET (failed_at, locked_until, refusal_recorded, expires_at) = (
        SELECT CASE WHEN cardinality(recent) < $2 THEN recent ELSE '{}' END,
          CASE WHEN cardinality(recent) >= $2 THEN now() + make_interval(secs => $4) END,
          false, greatest(excluded.expires_at, f.under_way_until)
        FROM (
          SELECT array_agg(t ORDER BY t) || now() AS recent
          FROM unnest(f.failed_at) AS t WHERE t > now() - make_interval(secs => $3)
        ) AS r
      )
      WHERE coalesce(f.locked_until <= now(), true)
    RETURNING cardinality(failed_at) AS failures, locked_until IS NOT NULL AS locked`,
};

const FIND_LATEST_LOCK = {
  name: 'find_longest_login_lock',
  text: `
    SELECT key, refusal_recorded AS "rejectionRecorded",
      ceil(extract(epoch FROM locked_until - now()))::integer AS "lockedSeconds"
    FROM unnest($1::text[]) AS k (key) JOIN login_failures ON ${IS_KEY('key')}
    WHERE locked_until > now()
    ORDER BY locked_until DESC
    LIMIT 1`,
};

const MARK_REJECTION = {
  name: 'mark_login_rejection',
  text: `
    UPDATE login_failures SET refusal_recorded = true
    WHERE ${IS_KEY('$1')} AND locked_until > now() AND NOT refusal_recorded
    RETURNING true`,
};

/** Includes the addresses known for user $2. Ordered to avoid deadlocks. */
const UNLOCK = {
  name: 'unlock_login',
  text: `
    DELETE FROM login_failures WHERE (subject, network) IN (
      SELECT subject, network FROM login_failures
      WHERE subject = $1 OR subject = '' AND network IN (SELECT network FROM known_addresses WHERE user_id = $2)
      ORDER BY subject, network FOR UPDATE
    )`,
};

/** Keeps the throttlers' counters in PostgreSQL, keyed `<account key> <IP prefix>`; one may be empty. */
export class PostgresThrottlerStorage implements ThrottlerStorage {
  constructor(private readonly database: Database) {}

  /** The interface takes milliseconds and returns seconds. */
  async increment(key: string, ttl: number, limit: number, blockDuration: number) {
    const values = [key, limit, ttl / 1000, blockDuration / 1000];
    const [counted] = await this.database.run<{ failures: number; locked: boolean }>(COUNT_FAILURE, values);
    const lock = counted ? undefined : await this.findLongestLock([key]);
    const locksNow = counted?.locked === true;
    const timeToBlockExpire = locksNow ? blockDuration / 1000 : (lock?.lockedSeconds ?? 0);
    const isBlocked = timeToBlockExpire > 0;
    const totalHits = isBlocked ? limit : (counted?.failures ?? 0);
    return { totalHits, timeToExpire: ttl / 1000, isBlocked, timeToBlockExpire, locksNow };
  }

  async findLongestLock(keys: readonly string[]): Promise<Lock | undefined> {
    return (await this.database.run<Lock>(FIND_LATEST_LOCK, [keys]))[0];
  }

  async markRejection(key: string): Promise<boolean> {
    return (await this.database.run(MARK_REJECTION, [key])).length > 0;
  }

  async unlock(accountKey: string, userId: number): Promise<void> {
    await this.database.run(UNLOCK, [accountKey, userId]);
  }
}
