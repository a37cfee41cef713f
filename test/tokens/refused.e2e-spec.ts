import { randomUUID } from 'node:crypto';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, rawRequest } from '../support/raw-http.js';
import { day } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { TEST_SECRET } from '../support/test-service.js';
import { decode, encode, resign, sign } from './forge.js';

const PREVIOUS_SECRET = 'n5Tb2-9QfYxD7gMw4CzK1vJr8pSaL3hUo6eVi0Ek';
const OTHER_SECRET = 'w8Zr5-1KcPqN6vXt3BmJ0aHd9sLfG2yUe7iTo4Rb';
const PATH = '/api/v1/restaurants';

let service: TestApp;
let token: string;
let stranger: string;
let now: number;

beforeAll(async () => {
  service = await createTestApp({ JWT_PREVIOUS_SECRET: PREVIOUS_SECRET });
  ({ token } = await givenTill(service));
  ({ token: stranger } = await givenTill(service));
  now = Math.floor(Date.now() / 1000);
});
afterAll(() => service.close());

/** Forgeries from the till's live token. */
describe('Forged tokens', () => {
  const OWN_KEY = { jwk: { kty: 'oct', k: encode(OTHER_SECRET) } };
  const jti = (): string => decode(token).payload.jti;
  const subOf = (of: string): string => decode(of).payload.sub;
  const altered = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

  /** The live token with one of its parts replaced. */
  const swap = (index: number, part: string): string =>
    token.split('.').with(index, part).join('.');

  /** The payload of the live token as JSON, with times beyond all numbers. */
  const endless = (): string =>
    JSON.stringify(decode(token).payload).replace(/"(iat|exp)":\d+/g, '"$1":1e999');

  const payload = (changes: () => object) => (): string => resign(token, { payload: changes() });

  /** The claims of the live token, signed in another way. */
  const signed =
    (how: Parameters<typeof sign>[2], changes: object = {}) =>
    (): string =>
      sign({ ...decode(token).header, ...changes }, decode(token).payload, how);

  test.each<[string, () => string]>([
    ['alg none, unsigned', () => `${encode({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1]}.`],
    ['alg HS512 with our secret', signed({ hash: 'sha512' }, { alg: 'HS512' })],
    ['another secret', signed({ secret: OTHER_SECRET })],
    ['payload altered', () => swap(1, encode({ ...decode(token).payload, exp: now + 9999 }))],
    ['signature altered', () => swap(2, altered(token.split('.')[2]!))],
    ['signature cut off', () => swap(2, '')],
    ['a key of its own in the header', signed({ secret: OTHER_SECRET }, OWN_KEY)],
    ['exp missing', payload(() => ({ exp: undefined }))],
    ['exp a string', payload(() => ({ exp: String(now + 7200) }))],
    ['expired this second', payload(() => ({ iat: now - 7200, exp: now }))],
    ['nbf in the future', payload(() => ({ nbf: now + 60 }))],
    ['jti never issued', payload(() => ({ jti: randomUUID() }))],
    ['jti not a UUID', payload(() => ({ jti: 'x' }))],
    ['jti a list', payload(() => ({ jti: [jti()] }))],
    ['sub of another user', payload(() => ({ sub: subOf(stranger) }))],
    ['sub beyond all numbers', payload(() => ({ sub: '9'.repeat(20) }))],
    ['sub beyond those of users', payload(() => ({ sub: '2147483648' }))],
    ['sub a number', payload(() => ({ sub: Number(subOf(token)) }))],
    ['sub a list', payload(() => ({ sub: [subOf(token)] }))],
    ['sub an object', payload(() => ({ sub: { toString: subOf(token) } }))],
    ['sub with a zero before it', payload(() => ({ sub: `0${subOf(token)}` }))],
    ['sub a fraction', payload(() => ({ sub: `${subOf(token)}.5` }))],
    ['sub zero', payload(() => ({ sub: '0' }))],
    ['sub negative', payload(() => ({ sub: `-${subOf(token)}` }))],
    ['sub with a space', payload(() => ({ sub: `${subOf(token)} ` }))],
    ['sub with a line feed', payload(() => ({ sub: `${subOf(token)}\n` }))],
    ['sub missing', payload(() => ({ sub: undefined }))],
    ['jti in capitals', payload(() => ({ jti: jti().toUpperCase() }))],
    ['jti in braces', payload(() => ({ jti: `{${jti()}}` }))],
    ['jti missing', payload(() => ({ jti: undefined }))],
    ['iat missing', payload(() => ({ iat: undefined }))],
    ['iat a string', payload(() => ({ iat: String(decode(token).payload.iat) }))],
    ['exp a second later', payload(() => ({ exp: Number(decode(token).payload.exp) + 1 }))],
    ['exp null', payload(() => ({ exp: null }))],
    ['exp a list', payload(() => ({ exp: [now + 7200] }))],
    ['exp with a fraction', payload(() => ({ iat: now + 0.5, exp: now + 7200.5 }))],
    ['exp beyond all numbers', () => sign(decode(token).header, endless())],
    ['payload null', () => sign(decode(token).header, 'null')],
    ['payload a list', () => sign(decode(token).header, [decode(token).payload])],
    ['payload a string', () => sign(decode(token).header, '"x"')],
    ['payload a number', () => sign(decode(token).header, '7')],
    ['payload empty', () => sign(decode(token).header, '')],
    ['payload no JSON', () => sign(decode(token).header, 'no JSON')],
    ['header null', () => swap(0, encode('null'))],
    ['header a list', () => swap(0, encode([]))],
    ['alg a list', signed({}, { alg: ['HS256'] })],
    ['alg missing', signed({}, { alg: undefined })],
    ['header no JSON', () => swap(0, encode('no JSON'))],
    ['no token at all', () => 'x'],
    ['more than 2,048 characters', payload(() => ({ padding: 'x'.repeat(1400) }))],
  ])('are 401: %s', async (_row, forge) => {
    const forged = forge();
    const answer = await service.client.get(PATH, { token: forged });
    expectError(answer, 401, /access token is invalid, expired or revoked/);
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
    expect(answer.headers.get('X-Error-Code')).toBe('token_invalid');
    const upload = await service.client.upload(forged, day()); // checked by its own statement
    expect([upload.status, upload.text]).toEqual([401, answer.text]);
  });

  test('are signed as the good one from which they were forged', async () => {
    expect((await service.client.upload(token, day())).status).toBe(200);
    expect((await service.client.get(PATH, { token: resign(token, {}) })).status).toBe(200);
    expect(signed({})()).toBe(token);
  });

  test('do not include a token up to the last millisecond before it expires', async () => {
    const exp = Math.floor(Date.now() / 1000) + 600;
    const claims = { iat: exp - 7200, exp };
    const [seen, unseen] = [1, 2].map((extra) => resign(token, { payload: { ...claims, extra } }));
    const statusAt = async (ms: number, sent: string): Promise<number> => {
      const clock = jest.spyOn(Date, 'now').mockReturnValue(ms);
      const { status } = await service.client.get(PATH, { token: sent });
      clock.mockRestore();
      return status;
    };
    expect(await statusAt(exp * 1000 - 1, seen!)).toBe(200);
    expect(await statusAt(exp * 1000, seen!)).toBe(401);
    expect(await statusAt(exp * 1000, unseen!)).toBe(401);
  });
});

describe('How a token is sent', () => {
  const NONE = 'Bearer';
  const INVALID = 'Bearer error="invalid_token"';

  test.each(['Bearer TOKEN', 'BEARER TOKEN', 'Bearer   TOKEN'])('%s is taken', async (sent) => {
    const headers = { Authorization: sent.replace('TOKEN', token) };
    expect((await service.client.get(PATH, { headers })).status).toBe(200);
  });

  test.each([
    ['no header', '', NONE],
    ['another scheme', 'Authorization: Basic dGlsbDpwYXNzd29yZA==', NONE],
    ['the token without a scheme', 'Authorization: TOKEN', NONE],
    ['the scheme without a token', 'Authorization: Bearer', NONE],
    ['two tokens in one header', 'Authorization: Bearer TOKEN, Bearer TOKEN', INVALID],
    ['other headers', 'X-Access-Token: TOKEN\nCookie: access_token=TOKEN', NONE],
  ])('%s is 401', async (_row, headers, challenge) => {
    const lines = headers.replaceAll('TOKEN', token).split('\n').filter(Boolean);
    const sent = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
    const answer = await exchange(service.url, rawRequest(`GET ${PATH}`, sent));
    expectError(
      answer,
      401,
      challenge === NONE ? /access token is required/ : /access token is invalid/,
    );
    expect(answer.headers.get('WWW-Authenticate')).toBe(challenge);
  });

  test('in the query string or in the body is 401', async () => {
    const body = { access_token: token, records: [] };
    for (const answer of [
      await service.client.get(`${PATH}?access_token=${token}`),
      await service.client.post('/api/v1/sales/upload-daily', body),
    ]) {
      expectError(answer, 401, /access token is required/);
      expect(answer.headers.get('WWW-Authenticate')).toBe(NONE);
    }
  });
});

test('While JWT_SECRET is changed, each instance takes the tokens of its two secrets alone', async () => {
  const till = await givenTill(service);
  const steps = [
    [TEST_SECRET, '', [200, 200, 401, 401]],
    [TEST_SECRET, OTHER_SECRET, [200, 200, 200, 200]],
    [OTHER_SECRET, TEST_SECRET, [200, 200, 200, 200]],
    [OTHER_SECRET, '', [401, 401, 200, 200]],
  ] as const;
  const instances: TestApp[] = [];
  for (const [JWT_SECRET, JWT_PREVIOUS_SECRET] of steps)
    instances.push(await service.another({ JWT_SECRET, JWT_PREVIOUS_SECRET }));
  const tokens: string[] = [];
  for (const { client } of instances) tokens.push(await client.token(till.username, till.password));
  expect(tokens.map((each) => decode(each).header)).toEqual(
    Array.from({ length: 4 }, () => ({ alg: 'HS256', typ: 'JWT' })),
  );
  const statuses = (): Promise<number[]>[] =>
    instances.map(({ client }) =>
      Promise.all(tokens.map(async (each) => (await client.get(PATH, { token: each })).status)),
    );
  const expected = steps.map(([, , each]) => each);
  // Many at once, as the applications of one process must keep their secrets apart.
  const rounds = await Promise.all(Array.from({ length: 10 }, () => Promise.all(statuses())));
  expect(rounds).toEqual(Array.from({ length: 10 }, () => expected));
});

test.each(['X-Forwarded-For', 'Forwarded', 'Via'])(
  'A missing token may have been removed by the proxy that sends %s',
  async (name) => {
    const direct = await service.client.get(PATH);
    const proxied = await service.client.get(PATH, { headers: { [name]: '1.1 proxy' } });
    expectError(direct, 401, /Bearer <ACCESS_TOKEN>"}$/);
    expectError(proxied, 401, /which a proxy in between may have removed"}$/);
    expect(proxied.headers.get('X-Error-Code')).toBe('token_missing');
  },
);
