import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { deleteBatch } from '../../database/housekeeping.js';
import type { LoginAttempt } from './login-attempt.js';

/** One more, as addresses are updated daily. */
const daysAgo = (days: string): string => `now() - make_interval(days => ${days} + 1)`;

const IS_KNOWN = {
  name: 'is_known_address',
  text: `
    SELECT EXISTS (
      SELECT FROM known_addresses WHERE user_id = $1 AND network = $2 AND last_login_at > ${daysAgo('$3')}
    ) AS known`,
};

/** $1 account key, $2 IP prefix, $3 known. */
const IS_LOCKED = `
  SELECT EXISTS (
    SELECT FROM login_failures
    WHERE locked_until > now() AND (subject, network) IN (($1, $2), ($1, ''), ('', $2)) AND NOT ($3 AND network = '')
  ) AS locked`;

/** A dead instance's slots are free after a minute. */
const SLOTS_IN_USE = 'CASE WHEN f.under_way_until > now() THEN f.under_way ELSE 0 END';

/** As many slots as failures left ($4 in $5 seconds), at least one. */
const ACQUIRE_SLOT = {
  name: 'acquire_login_slot',
  text: `
    WITH lock AS MATERIALIZED (${IS_LOCKED}), slot AS (
      INSERT INTO login_failures AS f (subject, network, under_way, under_way_until, expires_at)
      SELECT $1, $2, 1, now() + interval '1 minute', now() + interval '1 minute' FROM lock WHERE NOT locked
      ON CONFLICT (subject, network) DO UPDATE
        SET under_way = ${SLOTS_IN_USE} + 1, under_way_until = excluded.under_way_until,
          expires_at = greatest(f.expires_at, excluded.expires_at)
        WHERE coalesce(f.locked_until <= now(), true) AND ${SLOTS_IN_USE} < (
          SELECT greatest($4 - count(*), 1) FROM unnest(f.failed_at) AS t WHERE t > now() - make_interval(secs => $5)
        )
      RETURNING true
    )
    SELECT EXISTS (SELECT FROM slot) AS acquired, locked FROM lock`,
};

const RELEASE_SLOT = {
  name: 'release_login_slot',
  text: 'UPDATE login_failures SET under_way = greatest(under_way - 1, 0) WHERE subject = $1 AND network = $2',
};

/** Changes nothing while locked. */
const SUCCEED = {
  name: 'succeed_login',
  text: `
    WITH lock AS MATERIALIZED (${IS_LOCKED}), pair AS (
      UPDATE login_failures SET failed_at = '{}' FROM lock
      WHERE NOT locked AND subject = $1 AND network = $2 AND failed_at <> '{}'
    ), address AS (
      INSERT INTO known_addresses AS k (user_id, network, last_login_at)
      SELECT $4, $2, now() FROM lock WHERE NOT locked
      ON CONFLICT (user_id, network) DO UPDATE SET last_login_at = now()
        WHERE k.last_login_at < now() - interval '1 day'
    )
    SELECT locked FROM lock`,
};

export const EXPIRED_FAILURES = deleteBatch('login_failures', 'subject, network', 'expires_at < now()');
/** $1 days. */
export const OLD_ADDRESSES = deleteBatch('known_addresses', 'user_id, network', `last_login_at < ${daysAgo('$1')}`);

@Injectable()
export class LoginAttemptsRepository {
  constructor(private readonly database: Database) {}

  async isKnown(userId: number | undefined, ipPrefix: string, days: number): Promise<boolean> {
    return (await this.database.run<{ known: boolean }>(IS_KNOWN, [userId ?? null, ipPrefix, days]))[0]!.known;
  }

  async acquireSlot(attempt: LoginAttempt): Promise<{ acquired: boolean; locked: boolean }> {
    const { limit, ttl } = attempt.throttles.find(({ name }) => name === 'pair')!;
    const values = [attempt.accountKey, attempt.ipPrefix, attempt.known, limit, ttl / 1000];
    return (await this.database.run<{ acquired: boolean; locked: boolean }>(ACQUIRE_SLOT, values))[0]!;
  }

  async releaseSlot({ accountKey, ipPrefix }: LoginAttempt): Promise<void> {
    await this.database.run(RELEASE_SLOT, [accountKey, ipPrefix]);
  }

  /** False where locked. */
  async succeed({ accountKey, ipPrefix, known }: LoginAttempt, userId: number): Promise<boolean> {
    return !(await this.database.run<{ locked: boolean }>(SUCCEED, [accountKey, ipPrefix, known, userId]))[0]!.locked;
  }
}
