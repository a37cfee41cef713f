import { ClosuresService } from '../../src/restaurants/closures/closures.service.js';
import { uploadOf } from '../../src/sales/uploads/upload.js';
import { UploadsService } from '../../src/sales/uploads/uploads.service.js';
import { UsersService } from '../../src/users/users.service.js';
import type { Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { untilBlocked, whileDaysAreLocked } from '../support/test-database.js';

describe('POST /api/v1/sales/upload-daily?expected_version=N', () => {
  let service: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    service = await createTestApp();
    other = await service.another();
  });
  afterAll(() => service.close());

  /** Each test has a restaurant of its own, and its till. */
  let id = 100;
  let username: string;
  let token: string;
  beforeEach(async () => {
    ({ username, token } = await givenTill(service, { restaurants: [++id] }));
  });

  const date = '2025-10-15';
  const hour = (changes: Record<string, unknown> = {}) => record({ restaurant_id: id, ...changes });
  const send = (query: string, records: unknown, { client } = service): Promise<Answer> =>
    client.post(`/api/v1/sales/upload-daily${query}`, { records }, { token });
  const read = async (path: string): Promise<any> =>
    (await service.client.get(`/api/v1/sales/${path}?restaurant_id=${id}&date=${date}`, { token }))
      .body;
  const version = async (): Promise<number> => (await read('daily')).version;
  const expectChanged = async (answer: Answer, now: number): Promise<void> => {
    expect(await version()).toBe(now);
    expectError(answer, 409);
    expect(answer.body.error).toBe(
      `restaurant ${id} (Restaurant ${id}) on ${date} has changed since it was read: ` +
        `its version is ${now} now; nothing was saved, so read the day again`,
    );
    expect(answer.headers.get('X-Error-Code')).toBe('day_has_changed');
  };

  test('saves if the day has this many uploads, and else nothing', async () => {
    expect(await version()).toBe(0);
    expect((await send('?expected_version=0', [hour()])).status).toBe(200);
    expect((await send('', [hour({ hour: 13 })])).status).toBe(200);
    expect(await version()).toBe(2);
    expect((await send('?expected_version=2', [hour({ orders: 43 })])).status).toBe(200);
    const before = [await read('daily'), await read('uploads')];
    for (const stale of [0, 1, 2, 4, 2_147_483_647])
      await expectChanged(await send(`?expected_version=${stale}`, [hour({ orders: 44 })]), 3);
    await expectChanged(
      await send('?expected_version=2&dry_run=true', [hour({ orders: 44 }), hour({ hour: 13 })]),
      3,
    );
    expect([await read('daily'), await read('uploads')]).toEqual(before);
    expect(before[0].records.map(({ orders }: any) => orders)).toEqual([43, 42]);
  });

  test('rejects a version of a day of which nothing was uploaded', async () => {
    await expectChanged(await send('?expected_version=1', [hour()]), 0);
    expect((await read('daily')).records).toEqual([]);
    expect((await read('uploads')).uploads).toEqual([]);
  });

  test('answers 200 where every hour that was sent stands as it was sent, and saves nothing', async () => {
    const sent = [hour({ gto: 0.1 }), hour({ hour: 13, gto: 1250.5 })];
    await send('', day({ restaurant_id: id, gto: 5 }));
    const first = await send('?expected_version=1', sent);
    const again = await send('?expected_version=1', sent.toReversed(), other);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const dryRun = await send('?expected_version=1&dry_run=true', sent);
    expect([dryRun.status, dryRun.body.changes, dryRun.body.version]).toEqual([200, [], 2]);
    expect(await version()).toBe(2);
    await expectChanged(await send('?expected_version=1', [...sent, hour({ hour: 14 })]), 2);
  });

  test('saves one of several uploads of one version at the same moment, and others only with the same figures', async () => {
    for (let round = 0; round < 10; round++) {
      const now = await version();
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, at) => {
          const figures = { orders: 100 * round + Math.floor(at / 3) };
          return send(`?expected_version=${now}`, [hour(figures)], at % 2 ? service : other);
        }),
      );
      const statuses = answers.map(({ status }) => status);
      expect(await version()).toBe(now + 1);
      const [{ orders }] = (await read('daily')).records;
      const expected = statuses.map((_, at) =>
        Math.floor(at / 3) === orders - 100 * round ? 200 : 409,
      );
      expect(statuses).toEqual(expected);
    }
  });

  test('compares with what an upload saved for which it waited', async () => {
    await send('', [hour()]);
    const waiting: Promise<Answer>[] = [];
    await whileDaysAreLocked(service.database, async () => {
      for (const instance of [service, other])
        waiting.push(send('?expected_version=1', [hour({ orders: 50 })], instance));
      await untilBlocked(service.database, 2);
    });
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await version()).toBe(2);
  });

  test('is checked after all else that rejects an upload', async () => {
    await givenRestaurant(service, 999);
    const foreign = await send('?expected_version=9', [hour({ restaurant_id: 999 })]);
    expect(foreign.status).toBe(403);
    await service.app
      .get(ClosuresService)
      .close([id], { firstDay: date, lastDay: date, reason: null });
    expect((await send('?expected_version=9', [hour()])).status).toBe(400);
  });

  test.each(['', '-1', '1.0', 'x', '2147483648'])(
    'takes a whole number, and not "%s"',
    async (text) => {
      const answer = await send(`?expected_version=${text}`, [hour()]);
      expectError(answer, 400, /"expected_version must be an integer from 0 to 2147483647/);
      expect((await send(`?expectedVersion=0`, [hour()])).status).toBe(400);
      expect(await version()).toBe(0);
    },
  );

  test('is offered to modules by the service', async () => {
    const user = await service.app.get(UsersService).get(username);
    const sender = { userId: user.id, checksToken: false };
    const uploads = service.app.get(UploadsService, { strict: false });
    const upload = (expectedVersion: number, orders: number) => ({
      ...uploadOf([hour({ orders })] as any, sender, '127.0.0.1'),
      expectedVersion,
    });
    expect(await uploads.uploadDay(upload(0, 1))).toBe(`Restaurant ${id}`);
    await expect(uploads.uploadDay(upload(0, 2))).rejects.toThrow('has changed');
    await expect(uploads.previewDay(upload(0, 2))).rejects.toThrow('its version is 1 now');
    expect((await uploads.previewDay(upload(1, 2))).version).toBe(1);
  });
});
