import { openApp } from '../../src/server/open-app.js';
import { loadFixtures } from '../../src/testing/load-fixtures.js';
import { testConfig } from './test-app.js';
import type { TestDatabase } from './test-database.js';

/** A user who may upload for all restaurants, and the restaurants, for a service in another process. */
export async function seed(
  { url }: Pick<TestDatabase, 'url'>,
  { username = 'till', password = 'right password', restaurants = [101] } = {},
): Promise<void> {
  const { app, close } = await openApp({}, testConfig({ DATABASE_URL: url }));
  await loadFixtures(app, {
    restaurants: restaurants.map((id) => ({ restaurant_id: id, name: `Restaurant ${id}` })),
    users: [{ username, password, all_restaurants: true }],
  });
  await close();
}
