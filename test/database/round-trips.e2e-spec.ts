import { Database } from '../../src/database/database.js';
import type { Answer } from '../support/client.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

/** Runs beside other requests once after a login. */
const HOUSEKEEPING = /^delete_old_/;

let service: TestApp;
let token: string;
beforeAll(async () => {
  service = await createTestApp();
  ({ token } = await givenTill(service));
});
afterAll(() => service.close());

const upload = (one: ReturnType<typeof record>): Promise<Answer> => service.client.upload(token, [one]);

describe('What an upload asks the database', () => {
  test.each<[string, () => Promise<Answer>, number, string[]]>([
    ['saved', () => service.client.upload(token, day()), 200, ['save_uploads']],
    ['sent again', () => service.client.upload(token, day()), 200, ['save_uploads']],
    ['with a bad field', () => upload(record({ hour: 24 })), 400, ['find_live_tokens']],
    ['for a restaurant that is not granted', () => upload(record({ restaurant_id: 999 })), 403, ['save_uploads']],
    ['without a token', () => service.client.upload(undefined, day()), 401, []],
    ['with a token of nobody', () => service.client.upload(`${token}x`, day()), 401, []],
  ])('%s', async (_row, send, status, statements) => {
    const run = jest.spyOn(service.app.get(Database), 'run');
    expect((await send()).status).toBe(status);
    const names = run.mock.calls.map(([{ name }]) => name).filter((name) => !HOUSEKEEPING.test(name));
    expect(names).toEqual(statements);
    run.mockRestore();
  });
});
