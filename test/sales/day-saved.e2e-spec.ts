import { EventEmitter2 } from '@nestjs/event-emitter';
import { DaySaved } from '../../src/sales/sales.events.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let other: TestApp;
let token: string;
const heard: (readonly [event: DaySaved, saved: Promise<unknown[]>])[] = [];
beforeAll(async () => {
  service = await createTestApp();
  other = await service.another();
  ({ token } = await givenTill(service));
  service.app.get(EventEmitter2).on(DaySaved.name, (event: DaySaved) => {
    heard.push([event, service.database.query('SELECT number, user_id FROM uploads ORDER BY number')]);
  });
});
afterAll(() => service.close());
beforeEach(() => heard.splice(0));

describe('That a day was saved', () => {
  test('is heard once an upload, after the commit, with its number in the ledger', async () => {
    for (const records of [day(), day(), [record({ hour: 3 })]])
      expect((await service.client.upload(token, records)).status).toBe(200);
    const events = heard.map(([event]) => event);
    const { userId } = events[0]!;
    expect(events).toEqual([1, 2, 3].map((number) => new DaySaved(101, '2025-10-15', number, userId)));
    for (const [{ number }, saved] of heard) expect(await saved).toContainEqual({ number, user_id: userId });
  });

  test('is not heard of a rejected upload', async () => {
    expectError(await service.client.upload(token, [record({ restaurant_id: 999 })]), 403);
    expectError(await service.client.upload(token, [record({ hour: 24 })]), 400);
    expectError(await service.client.upload(`${token}x`, day()), 401);
    expect(heard).toEqual([]);
  });

  test('is heard only in the process that saved it', async () => {
    expect((await other.client.upload(token, day())).status).toBe(200);
    expect(heard).toEqual([]);
  });
});
