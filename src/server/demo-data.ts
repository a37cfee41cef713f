import { Logger, type INestApplicationContext } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { isOnLoopback } from '../config/load-config.js';
import { GrantsService } from '../restaurants/grants/grants.service.js';
import { RestaurantsService } from '../restaurants/restaurants.service.js';
import { CredentialsService } from '../users/credentials.service.js';
import { UsersService } from '../users/users.service.js';

/** The password is public. */
const DEMO = {
  restaurantId: 101,
  restaurantName: 'Demo Restaurant',
  username: 'demo',
  password: 'demo-password',
} as const;

/** Adds demo data on loopback, unless DEMO_DATA is false; elsewhere disables the demo user. */
export async function prepareDemoData(app: INestApplicationContext): Promise<void> {
  const config = app.get(AppConfig);
  if (!isOnLoopback(config)) await disableDemoUser(app);
  else if (config.DEMO_DATA) await addDemoData(app);
}

async function addDemoData(app: INestApplicationContext): Promise<void> {
  const restaurants = app.get(RestaurantsService);
  const users = app.get(UsersService);
  if ((await app.get(CredentialsService).find(DEMO.username)).account) return;
  const exists = (await restaurants.list()).some(({ id }) => id === DEMO.restaurantId);
  if (!exists) await restaurants.add(DEMO.restaurantId, DEMO.restaurantName);
  await users.add(DEMO.username, DEMO.password);
  await app.get(GrantsService).grant(DEMO.username, { restaurantIds: [DEMO.restaurantId] });
}

async function disableDemoUser(app: INestApplicationContext): Promise<void> {
  const credentials = app.get(CredentialsService);
  const found = await credentials.find(DEMO.username);
  if (!found.account || found.account.disabled) return;
  if (!(await credentials.match(found, DEMO.password, false))) return;
  await app.get(UsersService).setDisabled(DEMO.username, true);
  new Logger('DemoData').warn(`disabled user "${DEMO.username}": its password is public and HOST is not loopback`);
}

export function demoCommands(baseUrl: string): string {
  const login = { grant_type: 'password', username: DEMO.username, password: DEMO.password };
  const record = {
    restaurant_id: DEMO.restaurantId, date: '2025-10-15', hour: 12, orders: 42, gto: 1250.5, gst: 112.55, svc: 125.05,
    discount: 20, pax: 96, cash: 300.5, nets: 150, visa: 500, master: 200, amex: 50, voucher: 30, other: 20,
  }; // prettier-ignore
  const json = `-H 'Content-Type: application/json'`;
  return [
    `TOKEN=$(curl -s ${baseUrl}/api/v1/auth/login ${json} -d '${JSON.stringify(login)}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s ${baseUrl}/api/v1/sales/upload-daily -H "Authorization: Bearer $TOKEN" ${json} -d '${JSON.stringify({ records: [record] })}'`,
  ].join('\n');
}
