import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import type { FixtureUser } from '../../src/testing/fixtures.dto.js';
import { loadFixtures } from '../../src/testing/load-fixtures.js';
import type { TestApp } from './test-app.js';

let count = 0;

/** A user; by default with a new name, the right password and no restaurant. */
export async function givenUser(
  { app }: Pick<TestApp, 'app'>,
  {
    username = `user-${++count}`,
    password = 'right password',
    ...rights
  }: Partial<FixtureUser> = {},
): Promise<string> {
  await loadFixtures(app, { users: [{ username, password, ...rights }] });
  return username;
}

/** A user who may upload for the given restaurants, which are made where they are not there yet; logged in. */
export async function givenTill(
  { app, client }: TestApp,
  { restaurants = [101], username = `till-${++count}`, password = 'right password' } = {},
): Promise<{ username: string; password: string; token: string }> {
  for (const id of restaurants) await givenRestaurant({ app }, id);
  await givenUser({ app }, { username, password, restaurant_ids: restaurants });
  return { username, password, token: await client.token(username, password) };
}

export async function givenRestaurant(
  { app }: Pick<TestApp, 'app'>,
  id: number,
  name = `Restaurant ${id}`,
): Promise<void> {
  if ((await app.get(RestaurantsService).list()).some((restaurant) => restaurant.id === id)) return;
  await loadFixtures(app, { restaurants: [{ restaurant_id: id, name }] });
}
