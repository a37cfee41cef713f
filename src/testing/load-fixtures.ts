import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { parseHours } from '../calendar/hour-set.js';
import { STRICT, validateDto } from '../http/validation/request.pipe.js';
import { ClosuresService } from '../restaurants/closures/closures.service.js';
import { GrantsService } from '../restaurants/grants/grants.service.js';
import { RestaurantsService } from '../restaurants/restaurants.service.js';
import { uploadOf } from '../sales/uploads/upload.js';
import { UploadsService } from '../sales/uploads/uploads.service.js';
import { PasswordsService } from '../users/passwords.service.js';
import { UsersService } from '../users/users.service.js';
import { type FixtureRestaurant, FixturesDto, type FixtureUser } from './fixtures.dto.js';

/** Adds or changes restaurants and users as the fixtures say, and saves the uploads. */
export async function loadFixtures(app: INestApplicationContext, content: unknown): Promise<void> {
  // The validation changes what it is given, and the content belongs to the caller.
  const fixtures = await validateDto(FixturesDto, structuredClone(content), STRICT);
  const { restaurants = [], users = [], uploads = [] } = fixtures;
  for (const restaurant of restaurants) await loadRestaurant(app, restaurant);
  for (const user of users) await loadUser(app, user);
  for (const { username, records } of uploads) {
    const { id: userId } = await app.get(UsersService).get(username);
    const upload = uploadOf(records, { userId, checksToken: false }, '127.0.0.1');
    await app.get(UploadsService).uploadDay(upload);
  }
}

/** Expects all days of a restaurant, unless the fixtures say from which day on. */
async function loadRestaurant(
  app: INestApplicationContext,
  { restaurant_id: id, name, first_day, weekly_hours, closures = [] }: FixtureRestaurant,
): Promise<void> {
  const restaurants = app.get(RestaurantsService);
  const weeklyHours = weekly_hours?.map((text) => (text === '' ? 0 : parseHours(text)!));
  const added = { id, name, firstDay: first_day ?? '0001-01-01', weeklyHours };
  await restaurants.add(added).catch(async () => {
    await restaurants.change([id], () => ({ name, firstDay: first_day, weeklyHours }));
  });
  for (const { first_day: firstDay, last_day: lastDay = null, reason = null } of closures)
    await app.get(ClosuresService).close([id], { firstDay, lastDay, reason });
}

async function loadUser(app: INestApplicationContext, user: FixtureUser): Promise<void> {
  const { username, password } = user;
  const [users, passwords] = [app.get(UsersService), app.get(PasswordsService)];
  const found = await users.find(username);
  const stored = found ?? (await users.add(username, password ?? randomUUID()));
  if (found && password && !(await passwords.matches(password, found)))
    await users.setPasswordHash(found.id, await passwords.hash(password));
  await users.setDisabled(stored, user.disabled ?? false);
  const restaurants = user.all_restaurants ? 'all' : (user.restaurant_ids ?? []);
  await app.get(GrantsService).grant(username, restaurants);
}
