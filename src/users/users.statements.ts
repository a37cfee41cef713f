/** A user as `user list --json` prints it. */
export interface ListedUser {
  readonly username: string;
  readonly status: 'enabled' | 'disabled';
  readonly all_restaurants: boolean;
  readonly restaurant_ids: readonly number[];
  readonly created_at: Date;
  /** The end of the last lock after failed logins; null if there is none. */
  readonly locked_until: Date | null;
  /** The locked network; empty if it is every one from which the user never logged in. */
  readonly locked_network: string | null;
}

export const LIST_USERS = {
  name: 'list_users',
  text: `
    SELECT username, CASE WHEN disabled_at IS NULL THEN 'enabled' ELSE 'disabled' END AS status,
      all_restaurants,
      ARRAY(SELECT restaurant_id FROM restaurant_grants WHERE user_id = u.id ORDER BY 1)
        AS restaurant_ids,
      created_at, locks.ends_at AS locked_until, locks.network AS locked_network
    FROM users AS u
    LEFT JOIN (
      -- keys are such as user:17 and user:17 at 192.0.2.1
      SELECT DISTINCT ON (1) split_part(key, ' ', 1) AS key, split_part(key, ' ', 3) AS network, ends_at
      FROM login_counters
      WHERE locked AND ends_at > now()
      ORDER BY 1, ends_at DESC
    ) AS locks ON locks.key = 'user:' || u.id
    ORDER BY username`,
};
