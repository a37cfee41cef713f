import { Logger, type INestApplicationContext } from '@nestjs/common';
import { addDays, BusinessCalendar } from '../config/business-calendar.js';
import type { Config } from '../config/config.js';
import { isOnLoopback } from '../config/load-config.js';
import { GrantsService } from '../restaurants/grants/grants.service.js';
import { RestaurantsService } from '../restaurants/restaurants.service.js';
import { uploadOf } from '../sales/uploads/upload.js';
import { UploadsService } from '../sales/uploads/uploads.service.js';
import { PasswordsService } from '../users/passwords.service.js';
import { UsersService } from '../users/users.service.js';

/** The demo user's password is public. */
const DEMO = { username: 'demo', password: 'demo-password' } as const;

const RESTAURANTS = {
  101: 'Demo Restaurant',
  111: 'Noodle Bar',
  112: 'Satay House',
  113: 'Kopi Corner',
  114: 'Laksa Lane',
  115: 'Dim Sum Palace',
};
const DAYS = 35;

/** Yesterday is missing for one, which the printed commands upload, and partial for the other. */
const MISSING_ID = 101;
const PARTIAL_ID = 113;

/** Adds demo data if HOST is loopback and DEMO_DATA is not false; else disables the demo user. */
export async function prepareDemoData(app: INestApplicationContext, config: Config): Promise<void> {
  if (!isOnLoopback(config)) await disableDemoUser(app);
  else if (config.DEMO_DATA) await addDemoData(app);
}

async function addDemoData(app: INestApplicationContext): Promise<void> {
  const restaurants = app.get(RestaurantsService);
  const users = app.get(UsersService);
  if (await users.find(DEMO.username)) return;
  const existing = (await restaurants.list()).map(({ id }) => id);
  const ids = Object.keys(RESTAURANTS).map(Number);
  for (const [id, name] of Object.entries(RESTAURANTS)) {
    if (!existing.includes(Number(id))) await restaurants.add(Number(id), name);
  }
  await users.add(DEMO.username, DEMO.password);
  await app.get(GrantsService).grant(DEMO.username, { restaurantIds: ids });
  const { id: userId } = (await users.find(DEMO.username))!;
  const uploads = app.get(UploadsService, { strict: false });
  const yesterday = app.get(BusinessCalendar).yesterday();
  const sender = { userId, tokenId: null };
  for (const id of ids.filter((each) => !existing.includes(each))) {
    const days = Array.from({ length: DAYS }, (_, back) => salesOf(id, yesterday, back));
    const sent = days.filter((records) => records.length > 0);
    await Promise.all(sent.map((day) => uploads.uploadDay(uploadOf(day, sender, '127.0.0.1'))));
  }
}

/** Makes up the sales of a day, `back` days before yesterday, with the rush of noon and evening. */
function salesOf(restaurant_id: number, yesterday: string, back: number) {
  const date = addDays(yesterday, -back);
  const hours = { [MISSING_ID]: 0, [PARTIAL_ID]: 20 }[restaurant_id];
  const weekend = [0, 6].includes(new Date(date).getUTCDay()) ? 1.4 : 1;
  const share = weekend * (1 + (restaurant_id % 7) / 10) * (1 - (back % 11) / 60);
  return Array.from({ length: back === 0 ? (hours ?? 24) : 24 }, (_, hour) => {
    const rush = Math.exp(-((hour - 12) ** 2) / 4) + Math.exp(-((hour - 19) ** 2) / 5);
    const orders = Math.round(rush * share * 40) + ((restaurant_id + back + hour) % 4);
    const [card, cash] = [orders * (18 + (restaurant_id % 5) * 1.5), orders * 8.75];
    return {
      restaurant_id, date, hour, orders, gto: card + cash, gst: orders * 2.75, svc: orders * 3, discount: 0,
      pax: orders * 2, cash, nets: card / 2, visa: card / 2, master: 0, amex: 0, voucher: 0, other: 0,
    }; // prettier-ignore
  });
}

async function disableDemoUser(app: INestApplicationContext): Promise<void> {
  const users = app.get(UsersService);
  const user = await users.find(DEMO.username);
  if (!user || user.disabledAt) return;
  if (!(await app.get(PasswordsService).matches(DEMO.password, user.passwordHash))) return;
  await users.setDisabled(DEMO.username, true);
  new Logger('DemoData').warn(
    `disabled user "${DEMO.username}": its password is public and HOST is not loopback`,
  );
}

/** Returns commands that log in as the demo user and upload an hour of yesterday. */
export function demoCommands(
  app: INestApplicationContext,
  config: Config,
  baseUrl: string,
): string[] {
  if (!config.DEMO_DATA || !isOnLoopback(config)) return [];
  const date = app.get(BusinessCalendar).yesterday();
  const login = { grant_type: 'password', username: DEMO.username, password: DEMO.password };
  const record = {
    restaurant_id: MISSING_ID, date, hour: 12, orders: 42, gto: 1250.5, gst: 112.55, svc: 125.05,
    discount: 20, pax: 96, cash: 300.5, nets: 150, visa: 500, master: 200, amex: 50, voucher: 30, other: 20,
  }; // prettier-ignore
  const json = `-H 'Content-Type: application/json'`;
  return [
    `TOKEN=$(curl -s ${baseUrl}/api/v1/auth/login ${json} -d '${JSON.stringify(login)}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s ${baseUrl}/api/v1/sales/upload-daily -H "Authorization: Bearer $TOKEN" ${json} -d '${JSON.stringify({ records: [record] })}'`,
  ];
}
