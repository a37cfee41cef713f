import { decode } from '../support/forge.js';
import { givenTill } from '../support/given.js';
import { createTestApp, TEST_SECRET, type TestApp } from '../support/test-app.js';

const NEW_SECRET = 'w8Zr5-1KcPqN6vXt3BmJ0aHd9sLfG2yUe7iTo4Rb';

describe('Changing JWT_SECRET', () => {
  let old: TestApp;
  let both: TestApp;
  let fresh: TestApp;
  let till: { username: string; password: string; token: string };
  beforeAll(async () => {
    old = await createTestApp();
    both = await old.another({ JWT_SECRET: NEW_SECRET, JWT_PREVIOUS_SECRET: TEST_SECRET });
    fresh = await old.another({ JWT_SECRET: NEW_SECRET });
    till = await givenTill(old);
  });
  afterAll(() => old.close());

  const status = async ({ client }: TestApp, token: string): Promise<number> =>
    (await client.get('/api/v1/restaurants', { token })).status;

  test('with the old one as JWT_PREVIOUS_SECRET nobody is logged out', async () => {
    expect(await status(both, till.token)).toBe(200);
    expect(await status(both, await both.client.token(till.username, till.password))).toBe(200);
  });

  test('new tokens are signed with the current secret, and their kid tells which that is', async () => {
    const token = await both.client.token(till.username, till.password);
    expect(await status(fresh, token)).toBe(200);
    expect(await status(old, token)).toBe(401);
    expect(decode(token).header).toEqual({ alg: 'HS256', typ: 'JWT', kid: expect.stringMatching(/^[\w-]{8}$/) });
    expect(decode(token).header.kid).not.toBe(decode(till.token).header.kid);
  });

  test('without the old one its tokens are refused', async () => {
    expect(await status(fresh, till.token)).toBe(401);
  });

  test('a first step, the new one as JWT_PREVIOUS_SECRET, lets instances be restarted one by one', async () => {
    const first = await old.another({ JWT_PREVIOUS_SECRET: NEW_SECRET });
    expect(await status(first, await both.client.token(till.username, till.password))).toBe(200);
    expect(await status(both, await first.client.token(till.username, till.password))).toBe(200);
  });

  test('a token tells who, which, from when and until when, and nothing else', () => {
    const { payload } = decode(till.token);
    expect(payload).toEqual({
      sub: expect.stringMatching(/^[1-9]\d*$/),
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: expect.any(Number),
      exp: (payload.iat as number) + 7200,
    });
  });
});
