import { generateKeyPairSync, sign as signRsa } from 'node:crypto';
import { expectError } from '../support/expect-error.js';
import { decode, encode, resign, sign, unknownId } from './forge.js';
import { givenTill } from '../support/given.js';
import { exchange, rawRequest } from '../support/raw-http.js';
import { day } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { TEST_SECRET } from '../support/test-service.js';

const PREVIOUS_SECRET = 'n5Tb2-9QfYxD7gMw4CzK1vJr8pSaL3hUo6eVi0Ek';

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

describe('Forged tokens', () => {
  const OTHER_SECRET = 'w8Zr5-1KcPqN6vXt3BmJ0aHd9sLfG2yUe7iTo4Rb';

  /** Forgeries from the till's live token. */
  const parts = (): { header: any; payload: any } => decode(token);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string;

  const OWN_KEY = { jwk: { kty: 'oct', k: encode(OTHER_SECRET) } };
  const jti = (): string => parts().payload.jti;
  const subOf = (of: string): string => decode(of).payload.sub;
  const altered = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

  /** The claims of the live token, signed in another way. */
  const signed = (how: Parameters<typeof sign>[2], header: object = {}): string =>
    sign({ ...parts().header, ...header }, parts().payload, how);

  function signedByRsa(): string {
    const signed = `${encode({ ...parts().header, alg: 'RS256' })}.${encode(parts().payload)}`;
    return `${signed}.${signRsa('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  }

  describe('A token that is not ours, or no longer good', () => {
    test.each<[string, () => string]>([
      [
        'alg none, unsigned',
        () => `${encode({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1]}.`,
      ],
      ['alg HS512 with our secret', () => signed({ hash: 'sha512' }, { alg: 'HS512' })],
      ['alg RS256 with a key pair', signedByRsa],
      ['signed with a public key as the secret', () => signed({ secret: publicPem })],
      ['another secret', () => signed({ secret: OTHER_SECRET })],
      ['payload altered', () => swap(1, encode({ ...parts().payload, exp: now + 9999 }))],
      ['signature altered', () => swap(2, altered(token.split('.')[2]!))],
      ['signature cut off', () => swap(2, '')],
      ['a key of its own in the header', () => signed({ secret: OTHER_SECRET }, OWN_KEY)],
      ['exp missing', () => resign(token, { payload: { exp: undefined } })],
      ['exp a string', () => resign(token, { payload: { exp: String(now + 7200) } })],
      ['expired this second', () => resign(token, { payload: { exp: now } })],
      ['nbf in the future', () => resign(token, { payload: { nbf: now + 60 } })],
      ['jti never issued', () => resign(token, { payload: { jti: unknownId() } })],
      ['jti not a UUID', () => resign(token, { payload: { jti: 'x' } })],
      ['jti a list', () => resign(token, { payload: { jti: [jti()] } })],
      ['sub of another user', () => resign(token, { payload: { sub: subOf(stranger) } })],
      ['sub beyond all numbers', () => resign(token, { payload: { sub: '9'.repeat(20) } })],
      ['payload no JSON', () => sign(parts().header, 'no JSON')],
      ['header no JSON', () => swap(0, encode('no JSON'))],
      ['no token at all', () => 'x'],
      ['12 kB', () => `${token}${'A'.repeat(12_000)}`],
      ['a payload of 8 kB', () => resign(token, { payload: { jti: 'x'.repeat(8000) } })],
    ])('401: %s', async (_row, forge) => {
      const forged = forge();
      const answer = await service.client.get('/api/v1/restaurants', { token: forged });
      expectError(answer, 401, /access token is invalid, expired or revoked/);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
      expect(answer.headers.get('X-Error-Code')).toBe('token_invalid');
      const upload = await service.client.upload(forged, day()); // checked by its own statement
      expect([upload.status, upload.text]).toEqual([401, answer.text]);
    });

    test('what they were forged from is good all the while', async () => {
      expect((await service.client.upload(token, day())).status).toBe(200);
      expect(
        (await service.client.get('/api/v1/restaurants', { token: resign(token, {}) })).status,
      ).toBe(200);
    });

    test('a token is good to the last millisecond before it expires, whether or not its signature was verified before', async () => {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const [seen, unseen] = [exp, exp].map((each, extra) =>
        resign(token, { payload: { exp: each, extra } }),
      );
      const statusAt = async (ms: number, sent: string): Promise<number> => {
        const clock = jest.spyOn(Date, 'now').mockReturnValue(ms);
        const { status } = await service.client.get('/api/v1/restaurants', { token: sent });
        clock.mockRestore();
        return status;
      };
      expect(await statusAt(exp * 1000 - 1, seen!)).toBe(200);
      expect(await statusAt(exp * 1000, seen!)).toBe(401);
      expect(await statusAt(exp * 1000, unseen!)).toBe(401);
    });

    test('the secret it is signed with has to be ours', () => {
      expect(sign(parts().header, parts().payload, { secret: TEST_SECRET })).toBe(token);
    });
  });

  /** The live token with one of its parts replaced. */
  function swap(index: number, part: string): string {
    return token.split('.').with(index, part).join('.');
  }
});

describe('How a token is sent', () => {
  const PATH = '/api/v1/restaurants';

  test.each([
    ['Bearer', 'Bearer '],
    ['BEARER', 'BEARER '],
    ['more than one space', 'Bearer   '],
  ])('200: the scheme written %s', async (_row, scheme) => {
    const answer = await service.client.get(PATH, {
      headers: { Authorization: `${scheme}${token}` },
    });
    expect(answer.status).toBe(200);
  });

  test.each([
    ['no header', {}, 'Bearer'],
    ['another scheme', { Authorization: 'Basic dGlsbDpwYXNzd29yZA==' }, 'Bearer'],
    ['the token without a scheme', { Authorization: 'TOKEN' }, 'Bearer'],
    ['the scheme without a token', { Authorization: 'Bearer' }, 'Bearer'],
    [
      'two tokens in one header',
      { Authorization: 'Bearer TOKEN, Bearer TOKEN' },
      'Bearer error="invalid_token"',
    ],
    ['another header', { 'X-Access-Token': 'TOKEN', Cookie: 'access_token=TOKEN' }, 'Bearer'],
  ])('401: %s', async (_row, headers, challenge) => {
    const sent = Object.entries(headers).map(([name, value]) => [
      name,
      value.replaceAll('TOKEN', token),
    ]);
    const answer = await service.client.get(PATH, {
      headers: Object.fromEntries(sent) as Record<string, string>,
    });
    expectError(answer, 401, /access token/);
    expect(answer.headers.get('WWW-Authenticate')).toBe(challenge);
  });

  test('401: in the query string', async () => {
    const answer = await service.client.get(`${PATH}?access_token=${token}`);
    expectError(answer, 401, /access token is required/);
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  test('401: in the body', async () => {
    const body = { access_token: token, records: [] };
    const answer = await service.client.post('/api/v1/sales/upload-daily', body);
    expectError(answer, 401, /access token is required/);
  });

  test('of two Authorization headers the first one counts', async () => {
    const send = async (first: string, second: string) => {
      const headers = { Authorization: `Bearer ${first}`, authorization: `Bearer ${second}` };
      return (await exchange(service.url, rawRequest(`GET ${PATH}`, headers))).status;
    };
    expect([await send(token, 'x'), await send('x', token)]).toEqual([200, 401]);
  });
});

describe('Changing JWT_SECRET', () => {
  const NEW_SECRET = 'w8Zr5-1KcPqN6vXt3BmJ0aHd9sLfG2yUe7iTo4Rb';

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

  test('new tokens are signed with the current secret', async () => {
    const token = await both.client.token(till.username, till.password);
    expect(await status(fresh, token)).toBe(200);
    expect(await status(old, token)).toBe(401);
    expect(decode(token).header).toEqual({ alg: 'HS256', typ: 'JWT' });
  });

  test('without the old one its tokens are refused', async () => {
    expect(await status(fresh, till.token)).toBe(401);
  });

  test('two applications in one process keep their secrets apart, under 100 requests at once', async () => {
    const token = await fresh.client.token(till.username, till.password);
    const requests = Array.from({ length: 25 }, () => [
      status(old, till.token),
      status(fresh, token),
      status(old, token),
      status(fresh, till.token),
    ]);
    const statuses = await Promise.all(requests.map((each) => Promise.all(each)));
    expect(statuses).toEqual(Array.from({ length: 25 }, () => [200, 200, 401, 401]));
  });

  test('a first step, the new one as JWT_PREVIOUS_SECRET, lets instances be restarted one by one', async () => {
    const first = await old.another({ JWT_PREVIOUS_SECRET: NEW_SECRET });
    expect(await status(first, await both.client.token(till.username, till.password))).toBe(200);
    expect(await status(both, await first.client.token(till.username, till.password))).toBe(200);
  });
});
