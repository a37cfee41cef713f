/**
 * The statements on failed logins. A counter is a row: of a subject at a network (the pair), of a subject anywhere
 * (network ''), of a network whoever it is (subject ''). The clock is the database's, as there are many instances.
 *
 * $1 is the subject and $2 the network. `known` says that the subject logged in from there: then only its lock there and
 * the network's own count, so that strangers elsewhere cannot shut it out.
 */
const locks = (known: string): string => `
  FROM login_failures
  WHERE locked_until > now() AND (subject, network) IN (($1, $2), ($1, ''), ('', $2)) AND NOT (${known} AND network = '')`;

/** The logins under way in a row `f`; after its time an instance that died no longer counts. */
const UNDER_WAY = 'CASE WHEN f.under_way_until > now() THEN f.under_way ELSE 0 END';

/** Logins after this moment are within so many days; one day more, as such a login is written down once a day. */
export const daysAgo = (days: string): string => `now() - make_interval(days => ${days} + 1)`;

/** The lock that lasts longest, where there is one, and whether the user $3 logged in at the network within $4 days. */
export const FIND_LOCK = {
  name: 'find_login_lock',
  text: `
    SELECT known, l.subject, l.network, l.refusal_recorded AS "refusalRecorded",
      ceil(extract(epoch FROM l.locked_until - now()))::integer AS "lockedSeconds"
    FROM (
      SELECT EXISTS (
        SELECT FROM known_addresses
        WHERE user_id = $3 AND network = $2 AND last_login_at > ${daysAgo('$4')}
      ) AS known
    ) AS k
    LEFT JOIN LATERAL (
      SELECT subject, network, refusal_recorded, locked_until
      ${locks('known')}
      ORDER BY locked_until DESC
      LIMIT 1
    ) AS l ON true`,
};

/**
 * Takes one of the pair's places, of which there are as many as failures are left ($4 in $5 seconds), so that however
 * many logins come at once, on however many instances, no more passwords are compared than the limit allows.
 */
export const BEGIN_ATTEMPT = {
  name: 'begin_login_attempt',
  text: `
    WITH lock AS MATERIALIZED (SELECT EXISTS (SELECT ${locks('$3')}) AS locked), place AS (
      INSERT INTO login_failures AS f (subject, network, under_way, under_way_until, expires_at)
      SELECT $1, $2, 1, now() + interval '1 minute', now() + interval '1 minute' FROM lock WHERE NOT locked
      ON CONFLICT (subject, network) DO UPDATE
        SET under_way = ${UNDER_WAY} + 1, under_way_until = excluded.under_way_until,
          expires_at = greatest(f.expires_at, excluded.expires_at)
        WHERE coalesce(f.locked_until <= now(), true) AND ${UNDER_WAY} < (
          SELECT greatest($4 - count(*), 1) FROM unnest(f.failed_at) AS t WHERE t > now() - make_interval(secs => $5)
        )
      RETURNING true
    )
    SELECT EXISTS (SELECT FROM place) AS begun, locked FROM lock`,
};

/** Gives the pair's place back, for an attempt that did not fail. */
export const END_ATTEMPT = {
  name: 'end_login_attempt',
  text: `
    UPDATE login_failures SET under_way = greatest(under_way - 1, 0) WHERE subject = $1 AND network = $2`,
};

/**
 * Counts a failure in every counter given, and gives a place back where there is one. A counter that is full locks and
 * is empty again; one that is locked stays as it is and returns no row. In the order of the key: no deadlock.
 */
export const COUNT_FAILURE = {
  name: 'count_login_failure',
  text: `
    WITH counter AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::float8[], $5::float8[])
        AS c (subject, network, max_failures, window_seconds, lock_seconds)
    )
    INSERT INTO login_failures AS f (subject, network, failed_at, locked_until, expires_at)
    SELECT subject, network, CASE WHEN max_failures > 1 THEN ARRAY[now()] ELSE '{}' END,
      CASE WHEN max_failures <= 1 THEN now() + make_interval(secs => lock_seconds) END,
      now() + make_interval(secs => greatest(window_seconds, lock_seconds))
    FROM counter
    ORDER BY subject, network
    ON CONFLICT (subject, network) DO UPDATE
      SET (failed_at, locked_until, refusal_recorded, under_way, expires_at) = (
        SELECT CASE WHEN cardinality(recent) < max_failures THEN recent ELSE '{}' END,
          CASE WHEN cardinality(recent) >= max_failures THEN now() + make_interval(secs => lock_seconds) END,
          false, greatest(f.under_way - 1, 0), greatest(excluded.expires_at, f.under_way_until)
        FROM counter AS c, LATERAL (
          SELECT array_agg(t ORDER BY t) || now() AS recent
          FROM unnest(f.failed_at) AS t
          WHERE t > now() - make_interval(secs => window_seconds)
        ) AS r
        WHERE (c.subject, c.network) = (f.subject, f.network)
      )
      WHERE coalesce(f.locked_until <= now(), true)
    RETURNING subject, network, cardinality(failed_at) AS failures, locked_until IS NOT NULL AS locked`,
};

/** Forgets the pair's failures and, at most once a day, remembers the address for the user $4; neither where a lock fell. */
export const SUCCEED = {
  name: 'succeed_login_attempt',
  text: `
    WITH lock AS MATERIALIZED (SELECT EXISTS (SELECT ${locks('$3')}) AS locked), pair AS (
      UPDATE login_failures
      SET under_way = greatest(under_way - 1, 0), failed_at = CASE WHEN locked THEN failed_at ELSE '{}' END
      FROM lock
      WHERE subject = $1 AND network = $2
    ), address AS (
      INSERT INTO known_addresses AS k (user_id, network, last_login_at)
      SELECT $4, $2, now() FROM lock WHERE NOT locked
      ON CONFLICT (user_id, network) DO UPDATE SET last_login_at = now()
        WHERE k.last_login_at < now() - interval '1 day'
    )
    SELECT locked FROM lock`,
};

/** Marks a lock; a row comes back for the first who does. */
export const MARK_REFUSAL = {
  name: 'mark_login_refusal',
  text: `
    UPDATE login_failures SET refusal_recorded = true
    WHERE subject = $1 AND network = $2 AND locked_until > now() AND NOT refusal_recorded
    RETURNING true`,
};

/**
 * Opens every lock of the subject $1, and those of the networks at which its user $2 is known; in the order of the key, as
 * failures are counted.
 */
export const FORGET_SUBJECT = {
  name: 'forget_login_subject',
  text: `
    DELETE FROM login_failures WHERE (subject, network) IN (
      SELECT subject, network FROM login_failures
      WHERE subject = $1 OR subject = '' AND network IN (SELECT network FROM known_addresses WHERE user_id = $2)
      ORDER BY subject, network FOR UPDATE
    )`,
};
