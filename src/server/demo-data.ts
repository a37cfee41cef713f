import { type INestApplicationContext, Logger } from '@nestjs/common';
import { addDays, BusinessCalendar } from '../calendar/business-calendar.js';
import { expectedHours } from '../calendar/expected-hours.js';
import { parseHours } from '../calendar/hour-set.js';
import type { Config } from '../config/config.js';
import { isOnLoopback } from '../config/load-config.js';
import { GrantsService } from '../restaurants/grants/grants.service.js';
import { RestaurantsService } from '../restaurants/restaurants.service.js';
import { uploadOf } from '../sales/uploads/upload.js';
import { UploadsService } from '../sales/uploads/uploads.service.js';
import { PasswordsService } from '../users/passwords.service.js';
import { UsersService } from '../users/users.service.js';

/** The demo user's password is public. */
export const DEMO = { username: 'demo', password: 'demo-password' } as const;

/** The days that the page compares at first, and as many before them. */
const DAYS = 56;

/** Orders of an average restaurant in each hour of a day. */
const ORDERS = [1, 0, 2, 0, 1, 3, 2, 5, 8, 9, 16, 34, 44, 31, 15, 7, 10, 21, 38, 46, 33, 17, 6, 3];

/** The hours of a week without Mondays. */
const TUESDAY_TO_SUNDAY = [0, ...Array<number>(6).fill(parseHours('11:00-22:00')!)];

/**
 * Yesterday is missing for 101, so that the printed commands can upload it, and partial for 113;
 * 114 is closed on Mondays, and 115 has opened lately.
 */
const RESTAURANTS = [
  { id: 101, name: 'Demo Restaurant', hoursYesterday: 0 },
  { id: 111, name: 'Noodle Bar' },
  { id: 112, name: 'Satay House' },
  { id: 113, name: 'Kopi Corner', hoursYesterday: 20 },
  { id: 114, name: 'Laksa Lane', weeklyHours: TUESDAY_TO_SUNDAY },
  { id: 115, name: 'Dim Sum Palace', days: 6 },
];

/** Adds demo data if DEMO_DATA is true; if HOST is not loopback, disables the demo user instead. */
export async function prepareDemoData(app: INestApplicationContext, config: Config): Promise<void> {
  if (hasDemoData(config)) await addDemoData(app);
  else if (!isOnLoopback(config)) await disableDemoUser(app);
}

export function hasDemoData(config: Config): boolean {
  return config.DEMO_DATA && isOnLoopback(config);
}

async function addDemoData(app: INestApplicationContext): Promise<void> {
  const restaurants = app.get(RestaurantsService);
  const users = app.get(UsersService);
  const calendar = app.get(BusinessCalendar);
  const yesterday = calendar.yesterday();
  const taken = (await restaurants.list()).map(({ id }) => id);
  const isTaken = RESTAURANTS.some(({ id }) => taken.includes(id));
  if (isTaken || (await users.find(DEMO.username))) return;
  const { id: userId } = await users.add(DEMO.username, DEMO.password);
  const sender = { userId, checksToken: false };
  const uploads = app.get(UploadsService, { strict: false });
  for (const { id, name, weeklyHours, days = DAYS, hoursYesterday } of RESTAURANTS) {
    const firstDay = addDays(yesterday, 1 - days);
    const restaurant = await restaurants.add({ id, name, firstDay, weeklyHours });
    await app.get(GrantsService).grant(DEMO.username, [id]);
    const sales = Array.from({ length: days }, (_, back) => {
      const day = addDays(yesterday, -back);
      const expected = expectedHours(restaurant, calendar.dayOf(day));
      return salesOf(id, day).filter(({ hour }) => (expected >> hour) & 1);
    });
    sales[0]!.splice(hoursYesterday ?? sales[0]!.length); // the other hours of yesterday are missing
    const sent = sales.filter((day) => day.length > 0);
    await Promise.all(sent.map((day) => uploads.uploadDay(uploadOf(day, sender, '127.0.0.1'))));
  }
}

/** Makes up the sales of a day; a weekend has more of them. */
function salesOf(restaurant_id: number, date: string) {
  const time = new Date(date);
  const weekend = time.getUTCDay() % 6 === 0 ? 0.4 : 0;
  const size = 0.8 + weekend + (restaurant_id % 7) / 10 + (time.getUTCDate() % 5) / 20;
  return ORDERS.map((average, hour) => {
    const orders = Math.round(average * size);
    return {
      restaurant_id, date, hour, orders, pax: orders * 2, gto: orders * 28.75, gst: orders * 2.75,
      svc: orders * 3, discount: 0, cash: orders * 8.75, nets: orders * 8, visa: orders * 12,
      master: 0, amex: 0, voucher: 0, other: 0,
    }; // prettier-ignore
  });
}

async function disableDemoUser(app: INestApplicationContext): Promise<void> {
  const users = app.get(UsersService);
  const user = await users.find(DEMO.username);
  if (!user || user.disabledAt) return;
  if (!(await app.get(PasswordsService).matches(DEMO.password, user))) return;
  await users.setDisabled(user, true);
  new Logger('DemoData').warn(
    `disabled user "${DEMO.username}": its password is public and HOST is not loopback`,
  );
}

/** Returns lines with commands that log in as the demo user and upload an hour of yesterday. */
export function demoCommands(app: INestApplicationContext, url: string): string[] {
  const login = { grant_type: 'password', ...DEMO };
  const records = [salesOf(101, app.get(BusinessCalendar).yesterday())[12]];
  const json = `-H 'Content-Type: application/json'`;
  return [
    'Try it:',
    `TOKEN=$(curl -s ${url}/api/v1/auth/login ${json} -d '${JSON.stringify(login)}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s ${url}/api/v1/sales/upload-daily -H "Authorization: Bearer $TOKEN" ${json} -d '${JSON.stringify({ records })}'`,
  ];
}
