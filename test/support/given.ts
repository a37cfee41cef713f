import { GrantsService } from '../../src/restaurants/grants/grants.service.js';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { UsersService } from '../../src/users/users.service.js';
import type { TestApp } from './test-app.js';

let count = 0;

/** A user who may upload for the given restaurants, which are made where they are not there yet; logged in. */
export async function givenTill(
  { app, client }: TestApp,
  {
    restaurants = [101],
    username = `till-${++count}`,
    password = 'right password',
  }: { restaurants?: number[]; username?: string; password?: string } = {},
): Promise<{ username: string; password: string; token: string }> {
  await app.get(UsersService).add(username, password);
  for (const id of restaurants) await givenRestaurant({ app }, id);
  await app.get(GrantsService).grant(username, { restaurantIds: restaurants });
  return { username, password, token: await client.token(username, password) };
}

export async function givenRestaurant(
  { app }: Pick<TestApp, 'app'>,
  id: number,
  name = `Restaurant ${id}`,
): Promise<void> {
  const service = app.get(RestaurantsService);
  if (!(await service.list()).some((restaurant) => restaurant.id === id)) await service.add(id, name);
}
