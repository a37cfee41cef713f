import { createTestApp, type TestApp } from '../support/test-app.js';
import { givenTill } from '../support/given.js';
import { day } from '../support/records.js';

const CALLERS = 16;

describe('Callers at the same moment', () => {
  let test: TestApp;
  let tills: Awaited<ReturnType<typeof givenTill>>[];

  beforeAll(async () => {
    test = await createTestApp();
    tills = [];
    for (let index = 0; index < CALLERS; index++) tills.push(await givenTill(test, { restaurants: [101 + index] }));
  });
  afterAll(() => test.close());

  it('each upload is its own caller: all are saved, under the name of who sent them', async () => {
    const answers = await Promise.all(
      tills.map(({ token }, index) => test.client.upload(token, day({ restaurant_id: 101 + index }))),
    );

    expect(answers.map(({ status }) => status)).toEqual(tills.map(() => 200));
    const rows = await test.database.query<{ username: string }>(
      'SELECT username FROM uploads JOIN users ON users.id = user_id ORDER BY restaurant_id',
    );
    expect(rows.map(({ username }) => username)).toEqual(tills.map(({ username }) => username));
  });

  it('each login is answered with its own token', async () => {
    const answers = await Promise.all(tills.map(({ username, password }) => test.client.login(username, password)));

    const rows = await test.database.query<{ id: number }>('SELECT id FROM users ORDER BY id');
    expect(answers.map(({ body }) => subjectOf(body.access_token as string))).toEqual(rows.map(({ id }) => String(id)));
  });
});

function subjectOf(token: string): string {
  const payload = Buffer.from(token.split('.')[1]!, 'base64url').toString();
  return (JSON.parse(payload) as { sub: string }).sub;
}
