/** A user as `user list --json` prints it. */
export interface ListedUser {
  readonly username: string;
  readonly status: 'enabled' | 'disabled';
  readonly all_restaurants: boolean;
  readonly restaurant_ids: readonly number[];
  readonly created_at: Date;
}

export const LIST_USERS = {
  name: 'list_users',
  text: `
    SELECT username, CASE WHEN disabled_at IS NULL THEN 'enabled' ELSE 'disabled' END AS status,
      all_restaurants,
      ARRAY(SELECT restaurant_id FROM restaurant_grants WHERE user_id = u.id ORDER BY 1)
        AS restaurant_ids,
      created_at
    FROM users AS u
    ORDER BY username`,
};
