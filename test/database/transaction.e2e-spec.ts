import { Database } from '../../src/database/database.js';
import type { Transaction } from '../../src/database/transaction.js';
import { Restaurant } from '../../src/restaurants/restaurant.entity.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const ADD = { name: 'test_add', text: `INSERT INTO restaurants (id, name) VALUES ($1, 'x')` };
const PID = { name: 'test_pid', text: 'SELECT pg_backend_pid() AS pid' };
const SLEEP = { name: 'test_sleep', text: 'SELECT pg_sleep(60)' };

let service: TestApp;
let database: Database;
beforeAll(async () => {
  service = await createTestApp({ DATABASE_POOL_MAX: 1, RESPONSE_TIMEOUT_MS: 5000 });
  database = service.app.get(Database);
});
afterAll(() => service.close());

async function has(id: number): Promise<boolean> {
  return (await service.database.query('SELECT FROM restaurants WHERE id = $1', [id])).length > 0;
}

describe('A transaction', () => {
  test('commits the statements and the operations of TypeORM', async () => {
    const result = await database.transaction(async (transaction) => {
      await transaction.run(ADD, [1]);
      await transaction.manager.insert(Restaurant, { id: 2, name: 'y' });
      expect(await has(1)).toBe(false);
      return 'done';
    });
    expect([result, await has(1), await has(2)]).toEqual(['done', true, true]);
  });

  test.each<[string, (transaction: Transaction) => Promise<unknown>, RegExp]>([
    ['an error of the caller', () => Promise.reject(new Error('no')), /^no$/],
    ['a statement', (transaction) => transaction.run(ADD, [3]), /duplicate key/],
    ['a statement whose error was caught', (transaction) => transaction.run(ADD, [3]).catch(() => []), /failed/],
  ])('writes nothing after %s, and keeps its connection', async (_what, fail, error) => {
    let pids: unknown;
    const work = database.transaction(async (transaction) => {
      pids = await transaction.run(PID, []);
      await transaction.run(ADD, [3]);
      await fail(transaction);
    });
    await expect(work).rejects.toThrow(error);
    expect(await has(3)).toBe(false);
    expect(await database.run(PID, [])).toEqual(pids);
  });

  test('is given up after its time limit, and leaves no lock', async () => {
    const work = database.transaction(async (transaction) => {
      await transaction.run(ADD, [4]);
      await new Promise(() => undefined);
    });
    await expect(work).rejects.toThrow(`the transaction took longer than 5000 ms`);
    await service.database.query(`INSERT INTO restaurants (id, name) VALUES (4, 'y')`);
  });

  test('ends with a statement that takes too long', async () => {
    await expect(database.transaction((transaction) => transaction.run(SLEEP, []))).rejects.toThrow('timeout');
    const one = () => database.run({ name: 'test_one', text: 'SELECT 1 AS one' }, []).catch(() => undefined);
    expect(await eventually(one, 'a connection')).toEqual([{ one: 1 }]);
  });

  test('cannot be used once it has ended', async () => {
    const ended = await database.transaction((transaction) => Promise.resolve(transaction));
    await expect(ended.run(ADD, [5])).rejects.toThrow('test_add was run after its transaction');
    await expect(ended.manager.insert(Restaurant, { id: 5, name: 'x' })).rejects.toThrow('released');
  });
});

test.each(['grant', 'ungrant'])('What cannot be recorded is not done: user %s --all', async (verb) => {
  const { username } = await givenTill(service);
  const grants = `
    SELECT all_restaurants, array(SELECT restaurant_id FROM restaurant_grants WHERE user_id = id) AS ids
    FROM users WHERE username = $1`;
  const before = await service.database.query(grants, [username]);
  await service.database.query('ALTER TABLE audit_log RENAME TO audit_log_away');
  const ran = await new CommandLine(service.app).run(['user', verb, username, '101', '--all']);
  await service.database.query('ALTER TABLE audit_log_away RENAME TO audit_log');
  expect(ran).toMatchObject({ status: 1, stdout: '' });
  expect(await service.database.query(grants, [username])).toEqual(before);
});

test.each([{}, { all: true }])('What cannot be recorded is not done: POST /api/v1/auth/revoke %j', async (body) => {
  const { token } = await givenTill(service);
  await service.database.query('ALTER TABLE audit_log RENAME TO audit_log_away');
  const revoked = await service.client.post('/api/v1/auth/revoke', body, { token });
  await service.database.query('ALTER TABLE audit_log_away RENAME TO audit_log');
  expectError(revoked, 500);
  expect((await service.client.get('/api/v1/restaurants', { token })).status).toBe(200);
});
