import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { ServerConfig } from '../config/server.config.js';
import { validateDto } from '../http/validation/request.pipe.js';
import { ClosuresService } from '../restaurants/closures/closures.service.js';
import { GrantsService } from '../restaurants/grants/grants.service.js';
import { RestaurantsService } from '../restaurants/restaurants.service.js';
import { uploadOf } from '../sales/uploads/upload.js';
import { UploadsService } from '../sales/uploads/uploads.service.js';
import { PasswordsService } from '../users/passwords.service.js';
import { UsersService } from '../users/users.service.js';
import { FixturesDto, type FixtureUser } from './fixtures.dto.js';

/** Adds or changes restaurants and users as the fixtures say, and saves the uploads. */
export async function loadFixtures(app: INestApplicationContext, content: unknown): Promise<void> {
  if (app.get(ServerConfig).NODE_ENV === 'production')
    throw new Error('fixtures are never loaded in production');
  const { restaurants = [], users = [], uploads = [] } = await validateDto(FixturesDto, content);
  const service = app.get(RestaurantsService);
  for (const { restaurant_id: id, name, closed_from } of restaurants) {
    await service.add({ id, name, firstDay: '0001-01-01' }).catch(() => service.rename(id, name));
    if (closed_from !== undefined) {
      const closure = { firstDay: closed_from, lastDay: null, reason: null };
      await app.get(ClosuresService).close(id, closure);
    }
  }
  for (const user of users) await loadUser(app, user);
  for (const { username, records } of uploads) {
    const { id: userId } = await app.get(UsersService).get(username);
    const upload = uploadOf(records, { userId, checksToken: false }, '127.0.0.1');
    await app.get(UploadsService).uploadDay(upload);
  }
}

async function loadUser(app: INestApplicationContext, user: FixtureUser): Promise<void> {
  const { username, password } = user;
  const users = app.get(UsersService);
  const found = await users.find(username);
  if (!found) await users.add(username, password ?? randomUUID());
  else if (password && !(await app.get(PasswordsService).matches(password, found.passwordHash)))
    await users.setPassword(username, password);
  await users.setDisabled(username, user.disabled ?? false);
  const rights = { restaurantIds: user.restaurant_ids ?? [], all: user.all_restaurants ?? false };
  await app.get(GrantsService).grant(username, rights);
}
