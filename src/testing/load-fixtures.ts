import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { ServerConfig } from '../config/server.config.js';
import { ServiceError } from '../http/errors/service-error.js';
import { validateDto } from '../http/validation/request.pipe.js';
import { GrantsService } from '../restaurants/grants/grants.service.js';
import { RestaurantsService } from '../restaurants/restaurants.service.js';
import { uploadOf, type Upload } from '../sales/uploads/upload.js';
import { UploadsService } from '../sales/uploads/uploads.service.js';
import { PasswordsService } from '../users/passwords.service.js';
import { UsersService } from '../users/users.service.js';
import { FixturesDto, type Fixtures } from './fixtures.dto.js';

type FixtureUser = NonNullable<Fixtures['users']>[number];
type FixtureUpload = NonNullable<Fixtures['uploads']>[number];

/** Makes restaurants, users and sales what the fixtures say; loading them again changes nothing. */
export async function loadFixtures(app: INestApplicationContext, content: unknown): Promise<void> {
  if (app.get(ServerConfig).NODE_ENV === 'production')
    throw new Error('fixtures are never loaded in production');
  const { restaurants = [], users = [], uploads = [] } = await validateDto(FixturesDto, content);
  await loadRestaurants(app, restaurants);
  for (const user of users) await loadUser(app, user);
  await loadUploads(app, uploads);
}

async function loadRestaurants(
  app: INestApplicationContext,
  fixtures: NonNullable<Fixtures['restaurants']>,
): Promise<void> {
  const restaurants = app.get(RestaurantsService);
  const names = new Map((await restaurants.list()).map(({ id, name }) => [id, name]));
  for (const { restaurant_id: id, name, closed_from } of fixtures) {
    if (!names.has(id)) await restaurants.add(id, name);
    else if (names.get(id) !== name) await restaurants.rename(id, name);
    if (closed_from !== undefined) await restaurants.close(id, closed_from);
  }
}

async function loadUser(app: INestApplicationContext, user: FixtureUser): Promise<void> {
  const { username, password, restaurant_ids = [], all_restaurants = false } = user;
  const users = app.get(UsersService);
  const found = await users.find(username);
  if (!found) await users.add(username, password ?? randomUUID());
  else if (password && !(await app.get(PasswordsService).matches(password, found.passwordHash)))
    await users.setPassword(username, password);
  await users.setDisabled(username, user.disabled ?? false);
  const rights = { restaurantIds: restaurant_ids, all: all_restaurants };
  await app.get(GrantsService).grant(username, rights);
}

/** Sends the uploads of a day if its figures differ from those that these uploads leave. */
async function loadUploads(
  app: INestApplicationContext,
  fixtures: readonly FixtureUpload[],
): Promise<void> {
  const service = app.get(UploadsService, { strict: false });
  const days = new Map<string, Upload[]>();
  for (const fixture of fixtures) {
    const user = await app.get(UsersService).find(fixture.username);
    if (!user) throw new Error(`${nameDay(fixture)}: there is no user ${fixture.username}`);
    const sender = { userId: user.id, tokenId: null };
    const upload = uploadOf(fixture.records, sender, '127.0.0.1');
    days.set(nameDay(fixture), [...(days.get(nameDay(fixture)) ?? []), upload]);
  }
  for (const [name, uploads] of days) {
    const last = new Map(
      uploads.flatMap(({ records }) => records).map((each) => [each.hour, each]),
    );
    try {
      const { changes } = await service.previewDay({ ...uploads[0]!, records: [...last.values()] });
      if (changes.length > 0) for (const upload of uploads) await service.uploadDay(upload);
    } catch (error) {
      throw error instanceof ServiceError ? new Error(`${name}: ${error.message}`) : error;
    }
  }
}

function nameDay({ records }: FixtureUpload): string {
  return `uploads for restaurant ${records[0]!.restaurant_id} on ${records[0]!.date}`;
}
