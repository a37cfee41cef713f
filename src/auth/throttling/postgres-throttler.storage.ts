import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Batcher } from '../../database/batcher.js';
import { Database } from '../../database/database.js';

/** What a failure did to a counter. */
interface Counted {
  readonly key: string;
  /** In the window; 0 where the counter locked. */
  readonly failures: number;
  readonly locked: boolean;
}

interface Increment {
  readonly key: string;
  readonly ttl: number;
  readonly limit: number;
  readonly blockDuration: number;
}

export interface Lock {
  readonly key: string;
  readonly lockedSeconds: number;
  readonly rejectionRecorded: boolean;
}

const KEY = `subject || ' ' || network AS key`;

/**
 * Counts failures: a counter that reaches its limit locks and is emptied; one that is locked stays as it is and returns
 * no row. Rows are taken in the order of the primary key, which prevents deadlocks.
 */
const COUNT_FAILURES = {
  name: 'count_login_failures',
  text: `
    WITH counter AS (
      SELECT split_part(key, ' ', 1) AS subject, split_part(key, ' ', 2) AS network, max_failures, window_time, lock_time
      FROM unnest($1::text[], $2::integer[], $3::interval[], $4::interval[]) AS c (key, max_failures, window_time, lock_time)
    )
    INSERT INTO login_failures AS f (subject, network, failed_at, locked_until, expires_at)
    SELECT subject, network, CASE WHEN max_failures > 1 THEN ARRAY[now()] ELSE '{}' END,
      CASE WHEN max_failures <= 1 THEN now() + lock_time END, now() + greatest(window_time, lock_time)
    FROM counter
    ORDER BY subject, network
    ON CONFLICT (subject, network) DO UPDATE
      SET (failed_at, locked_until, refusal_recorded, expires_at) = (
        SELECT CASE WHEN cardinality(recent) < max_failures THEN recent ELSE '{}' END,
          CASE WHEN cardinality(recent) >= max_failures THEN now() + lock_time END,
          false, greatest(excluded.expires_at, f.under_way_until)
        FROM counter AS c, LATERAL (
          SELECT array_agg(t ORDER BY t) || now() AS recent FROM unnest(f.failed_at) AS t WHERE t > now() - window_time
        ) AS r
        WHERE (c.subject, c.network) = (f.subject, f.network)
      )
      WHERE coalesce(f.locked_until <= now(), true)
    RETURNING ${KEY}, cardinality(failed_at) AS failures, locked_until IS NOT NULL AS locked`,
};

const FIND_LONGEST_LOCK = {
  name: 'find_longest_login_lock',
  text: `
    SELECT ${KEY}, refusal_recorded AS "rejectionRecorded",
      ceil(extract(epoch FROM locked_until - now()))::integer AS "lockedSeconds"
    FROM unnest($1::text[]) AS k (key)
    JOIN login_failures ON subject = split_part(key, ' ', 1) AND network = split_part(key, ' ', 2)
    WHERE locked_until > now()
    ORDER BY locked_until DESC
    LIMIT 1`,
};

const MARK_REJECTION = {
  name: 'mark_login_rejection',
  text: `
    UPDATE login_failures SET refusal_recorded = true
    WHERE subject = split_part($1, ' ', 1) AND network = split_part($1, ' ', 2)
      AND locked_until > now() AND NOT refusal_recorded
    RETURNING true`,
};

/** Deletes the counters of an account, and those of the addresses at which its user is known; in the order of the key. */
const UNLOCK = {
  name: 'unlock_login',
  text: `
    DELETE FROM login_failures WHERE (subject, network) IN (
      SELECT subject, network FROM login_failures
      WHERE subject = $1 OR subject = '' AND network IN (SELECT network FROM known_addresses WHERE user_id = $2)
      ORDER BY subject, network FOR UPDATE
    )`,
};

/**
 * Keeps the counters of @nestjs/throttler in PostgreSQL, shared by all instances and kept across restarts. A key is an
 * account key, a space and an IP prefix, of which one may be empty.
 */
@Injectable()
export class PostgresThrottlerStorage implements ThrottlerStorage {
  private readonly increments = new Batcher<Increment, Counted | undefined>(
    (increments) => this.count(increments),
    { maxConcurrency: 2, maxBatchSize: 64 },
    ({ key }) => key,
  );

  constructor(private readonly database: Database) {}

  /** Counts a failure. Times come in milliseconds and go in seconds, as the interface demands. */
  async increment(key: string, ttl: number, limit: number, blockDuration: number) {
    const counted = await this.increments.add({ key, ttl, limit, blockDuration });
    const lock = counted ? undefined : await this.findLongestLock([key]);
    const timeToBlockExpire = counted?.locked ? blockDuration / 1000 : (lock?.lockedSeconds ?? 0);
    const isBlocked = timeToBlockExpire > 0;
    const totalHits = isBlocked ? limit : (counted?.failures ?? 0);
    return { totalHits, timeToExpire: ttl / 1000, isBlocked, timeToBlockExpire, locksNow: counted?.locked ?? false };
  }

  /** Looks without counting. */
  async findLongestLock(keys: readonly string[]): Promise<Lock | undefined> {
    return (await this.database.run<Lock>(FIND_LONGEST_LOCK, [keys]))[0];
  }

  /** true for the first rejection under a lock. */
  async markRejection(key: string): Promise<boolean> {
    return (await this.database.run(MARK_REJECTION, [key])).length > 0;
  }

  async unlock(accountKey: string, userId: number): Promise<void> {
    await this.database.run(UNLOCK, [accountKey, userId]);
  }

  private async count(increments: Increment[]): Promise<(Counted | undefined)[]> {
    const rows = await this.database.run<Counted>(COUNT_FAILURES, [
      increments.map(({ key }) => key),
      increments.map(({ limit }) => limit),
      increments.map(({ ttl }) => `${ttl} milliseconds`),
      increments.map(({ blockDuration }) => `${blockDuration} milliseconds`),
    ]);
    return increments.map(({ key }) => rows.find((row) => row.key === key));
  }
}
