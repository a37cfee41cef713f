import { Database } from '../../src/database/database.js';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { failTimes, givenUser, RIGHT } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('What logins leave behind', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  const count = async (table: string): Promise<number> =>
    (await service.database.query<{ count: number }>(`SELECT count(*)::int FROM ${table}`))[0]!.count;

  /** A hundred rows more than one statement deletes, of each kind; `age` puts them into the past. */
  async function givenRows(userId: number, age: string): Promise<void> {
    const rows = 'FROM generate_series(1, 1100) AS i';
    await service.database.query(
      `INSERT INTO tokens (jti, user_id, issued_at, expires_at)
       SELECT gen_random_uuid(), ${userId}, now(), now() - interval '${age}' ${rows}`,
    );
    await service.database.query(
      `INSERT INTO login_failures (subject, network, expires_at)
       SELECT 'name:' || i, '', now() - interval '${age}' ${rows}`,
    );
    await service.database.query(
      `INSERT INTO known_addresses (user_id, network, last_login_at)
       SELECT ${userId}, '10.0.' || i, now() - interval '31 days' - interval '${age}' ${rows}`,
    );
  }

  test('is cleared away by a later login once it is expired, on however many instances, and nothing else', async () => {
    const username = await givenUser(service);
    await givenRows(1, '6 minutes');
    const [live, other] = [await service.client.token(username, RIGHT), await service.another()];
    await failTimes(1, other.client, 'nobody', '');
    while ((await count('tokens')) > 1 || (await count('login_failures')) > 4 || (await count('known_addresses')) > 1);
    expect((await service.client.get('/api/v1/restaurants', { token: live })).status).toBe(200);
  });

  test('is left to the next time where it was cleared away a moment ago', async () => {
    await givenRows(1, '6 minutes');
    service.app.get(Housekeeping).begin();
    await service.app.get(Housekeeping).beforeApplicationShutdown();
    expect(await count('tokens')).toBe(1101);
  });

  test('and cannot be cleared away makes no login fail, and keeps nothing of another kind', async () => {
    const another = await service.another();
    const database = another.app.get(Database);
    const run = database.run.bind(database);
    jest.spyOn(database, 'run').mockImplementation((statement, values) => {
      return statement.name === 'delete_old_tokens' ? Promise.reject(new Error('no')) : run(statement, values);
    });
    expect((await another.client.login('nobody', 'x')).status).toBe(401);
    while ((await count('known_addresses')) > 1);
    expect(await count('tokens')).toBe(1101);
  });
});
