import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { INestApplicationContext } from '@nestjs/common';
import { parseHours } from '../calendar/hour-set.js';
import { ServerConfig } from '../config/server.config.js';
import { validateDto } from '../http/validation/request.pipe.js';
import { ClosuresService } from '../restaurants/closures/closures.service.js';
import { GrantsService } from '../restaurants/grants/grants.service.js';
import { RestaurantsService } from '../restaurants/restaurants.service.js';
import { uploadOf } from '../sales/uploads/upload.js';
import { UploadsService } from '../sales/uploads/uploads.service.js';
import { PasswordsService } from '../users/passwords.service.js';
import { UsersService } from '../users/users.service.js';
import { type FixtureRestaurant, FixturesDto, type FixtureUser } from './fixtures.dto.js';

interface Schema {
  readonly $ref?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const require = createRequire(import.meta.url);
const SCHEMA = require('restaurant-hourly-sales-upload-service/fixtures.schema.json') as Schema;

/** Refuses names that the schema of the fixtures does not have, at any depth: nobody reads them. */
function assertKnown(value: unknown, schema: Schema, all: Schema, path = ''): void {
  const { items, properties } = all.definitions?.[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  if (Array.isArray(value) && items)
    for (const [index, each] of value.entries()) assertKnown(each, items, all, `${path}[${index}]`);
  else if (typeof value === 'object' && value !== null && properties)
    for (const [name, each] of Object.entries(value)) {
      const inner = path === '' ? name : `${path}.${name}`;
      const known = Object.keys(properties).join(', ');
      if (name === '$schema') continue;
      if (!(name in properties)) throw new Error(`${inner} is not known; there are ${known}`);
      assertKnown(each, properties[name]!, all, inner);
    }
}

/** Adds or changes restaurants and users as the fixtures say, and saves the uploads. */
export async function loadFixtures(app: INestApplicationContext, content: unknown): Promise<void> {
  if (app.get(ServerConfig).NODE_ENV === 'production')
    throw new Error('fixtures are never loaded in production');
  assertKnown(content, SCHEMA, SCHEMA);
  // The validation changes what it is given, and the content belongs to the caller.
  const fixtures = await validateDto(FixturesDto, structuredClone(content));
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
  { restaurant_id: id, name, closures = [], ...given }: FixtureRestaurant,
): Promise<void> {
  const restaurants = app.get(RestaurantsService);
  const { first_day: firstDay = '0001-01-01', weekly_hours: hours, closed_from } = given;
  const weeklyHours = hours?.map((text) => (text === '' ? 0 : parseHours(text)!));
  await restaurants.add({ id, name, firstDay, weeklyHours }).catch(async () => {
    await restaurants.change([id], () => ({ name, firstDay: given.first_day, weeklyHours }));
  });
  const closedFrom: typeof closures = closed_from === undefined ? [] : [{ first_day: closed_from }];
  for (const { first_day, last_day = null, reason = null } of [...closures, ...closedFrom]) {
    const closure = { firstDay: first_day, lastDay: last_day, reason };
    await app.get(ClosuresService).close([id], closure);
  }
}

async function loadUser(app: INestApplicationContext, user: FixtureUser): Promise<void> {
  const { username, password } = user;
  const users = app.get(UsersService);
  const found = await users.find(username);
  if (!found) await users.add(username, password ?? randomUUID());
  else if (password && !(await app.get(PasswordsService).matches(password, found)))
    await users.setPassword(username, password);
  await users.setDisabled(username, user.disabled ?? false);
  const rights = { restaurantIds: user.restaurant_ids ?? [], all: user.all_restaurants ?? false };
  await app.get(GrantsService).grant(username, rights);
}
