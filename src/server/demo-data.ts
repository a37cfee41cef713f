import type { INestApplicationContext } from '@nestjs/common';
import { GrantsService } from '../restaurants/grants/grants.service.js';
import { RestaurantsService } from '../restaurants/restaurants.service.js';
import { UsersService } from '../users/users.service.js';

/** What the first start on the embedded database brings along; the password is no secret, as nothing real lives there. */
const DEMO = {
  restaurantId: 101,
  restaurantName: 'Demo Restaurant',
  username: 'demo',
  password: 'demo-password',
} as const;

/**
 * A restaurant and a user who may upload for it, so that the first `curl` works. Whether it is the first start is told
 * by the user, who stays for good, and not by the database: the administrator's command line may have made that one.
 */
export async function addDemoData(app: INestApplicationContext): Promise<void> {
  const restaurants = app.get(RestaurantsService);
  const users = app.get(UsersService);
  if (await users.find(DEMO.username)) return;
  const isTaken = (await restaurants.list()).some(({ id }) => id === DEMO.restaurantId);
  if (!isTaken) await restaurants.add(DEMO.restaurantId, DEMO.restaurantName);
  await users.add(DEMO.username, DEMO.password);
  await app.get(GrantsService).grant(DEMO.username, { restaurantIds: [DEMO.restaurantId] });
}

/** Two lines to paste into bash, in this order: the first logs in, the second uploads one record and shows the answer. */
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
