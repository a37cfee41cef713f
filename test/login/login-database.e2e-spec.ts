import { Client } from 'pg';
import { expectError } from '../support/expect-error.js';
import { givenUser, RIGHT } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

describe('A login while the database does not answer', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp({ RESPONSE_TIMEOUT_MS: 5000 })));
  afterAll(() => service.close());

  test.each([
    ['about failed logins', 'login_failures'],
    ['about tokens, once the password was right', 'tokens'],
  ])('500 within five seconds, and no way in: %s', async (_row, table) => {
    const username = await givenUser(service);
    const holder = new Client(service.database.url);
    await holder.connect();
    await holder.query(`BEGIN; LOCK TABLE ${table}`);
    const { result: answer, ms } = await timed(() => service.client.login(username, RIGHT));
    await holder.end();
    expectError(answer, 500, /internal server error/);
    expect(ms).toBeLessThan(stretched(5000));
    expect((await service.client.login(username, RIGHT)).status).toBe(200);
  });
});
