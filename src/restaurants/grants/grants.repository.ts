import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';

export interface Grants {
  readonly restaurantIds: readonly number[];
  readonly all?: boolean;
}

export interface Granted {
  readonly id: number;
  readonly name: string;
}

const LIST_IDS = {
  name: 'list_grants',
  text: `
SELECT user_id AS "userId", array_agg(restaurant_id ORDER BY restaurant_id) AS "restaurantIds"
FROM restaurant_grants
WHERE $1::integer IS NULL OR user_id = $1
GROUP BY user_id`,
};

const FIND_GRANTED = {
  name: 'find_granted_restaurants',
  text: `
SELECT r.id, r.name
FROM restaurants AS r
WHERE ($2::integer[] IS NULL OR r.id = ANY($2::integer[]))
  AND ((SELECT all_restaurants FROM users WHERE id = $1)
    OR EXISTS (SELECT FROM restaurant_grants AS g WHERE g.user_id = $1 AND g.restaurant_id = r.id))
ORDER BY r.id`,
};

const GRANT = {
  name: 'grant_restaurants',
  text: `
INSERT INTO restaurant_grants (user_id, restaurant_id)
SELECT $1::integer, unnest($2::integer[])
ON CONFLICT DO NOTHING`,
};

const UNGRANT = {
  name: 'ungrant_restaurants',
  text: 'DELETE FROM restaurant_grants WHERE user_id = $1 AND ($2::integer[] IS NULL OR restaurant_id = ANY($2))',
};

@Injectable()
export class GrantsRepository {
  constructor(private readonly database: Database) {}

  /** By user id. */
  async listRestaurantIds(userId?: number): Promise<Map<number, number[]>> {
    const rows = await this.database.run<{ userId: number; restaurantIds: number[] }>(LIST_IDS, [userId ?? null]);
    return new Map(rows.map((row) => [row.userId, row.restaurantIds]));
  }

  findGranted(userId: number, restaurantIds?: readonly number[]): Promise<Granted[]> {
    return this.database.run(FIND_GRANTED, [userId, restaurantIds ?? null]);
  }

  /** `also` is what belongs to the transaction. */
  change(
    change: 'grant' | 'ungrant',
    userId: number,
    { restaurantIds, all }: Grants,
    also: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    return this.database.transaction(async (transaction) => {
      if (change === 'grant') await transaction.run(GRANT, [userId, restaurantIds]);
      else await transaction.run(UNGRANT, [userId, all ? null : restaurantIds]);
      await also(transaction);
    });
  }
}
