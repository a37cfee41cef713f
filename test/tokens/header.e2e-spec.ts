import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, rawRequest } from '../support/raw-http.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/api/v1/restaurants';

describe('How a token is sent', () => {
  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp();
    ({ token } = await givenTill(service));
  });
  afterAll(() => service.close());

  test.each([
    ['Bearer', 'Bearer '],
    ['bearer', 'bearer '],
    ['BEARER', 'BEARER '],
    ['more than one space', 'Bearer   '],
  ])('200: the scheme written %s', async (_row, scheme) => {
    const answer = await service.client.get(PATH, { headers: { Authorization: `${scheme}${token}` } });
    expect(answer.status).toBe(200);
  });

  test.each([
    ['no header', {}, 'Bearer'],
    ['another scheme', { Authorization: 'Basic dGlsbDpwYXNzd29yZA==' }, 'Bearer'],
    ['the token without a scheme', { Authorization: 'TOKEN' }, 'Bearer'],
    ['the scheme glued to the token', { Authorization: 'BearerTOKEN' }, 'Bearer'],
    ['the scheme without a token', { Authorization: 'Bearer' }, 'Bearer error="invalid_token"'],
    ['two tokens in one header', { Authorization: 'Bearer TOKEN, Bearer TOKEN' }, 'Bearer error="invalid_token"'],
    ['a token in quotes', { Authorization: 'Bearer "TOKEN"' }, 'Bearer error="invalid_token"'],
    ['a tab for the space', { Authorization: 'Bearer\tTOKEN' }, 'Bearer'],
    ['another header', { 'X-Access-Token': 'TOKEN', Cookie: 'access_token=TOKEN' }, 'Bearer'],
  ])('401: %s', async (_row, headers, challenge) => {
    const sent = Object.entries(headers).map(([name, value]) => [name, value.replaceAll('TOKEN', token)]);
    const answer = await service.client.get(PATH, { headers: Object.fromEntries(sent) as Record<string, string> });
    expectError(answer, 401, /access token/);
    expect(answer.headers.get('WWW-Authenticate')).toBe(challenge);
  });

  test('401: in the query string', async () => {
    const answer = await service.client.get(`${PATH}?access_token=${token}`);
    expectError(answer, 401, /access token is required/);
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  test.each([
    ['a form', 'application/x-www-form-urlencoded', (value: string) => `access_token=${value}`],
    ['JSON', 'application/json', (value: string) => JSON.stringify({ access_token: value, records: [] })],
  ])('401: in the body, as %s', async (_row, type, write) => {
    const body = write(token);
    const answer = await service.client.send('POST', '/api/v1/sales/upload-daily', body, { 'Content-Type': type });
    expectError(answer, 401, /access token is required/);
  });

  test.each([
    ['the same token twice', () => [token, token]],
    ['a good one first', () => [token, 'x']],
    ['a good one last', () => ['x', token]],
  ])('401: two Authorization headers, %s', async (_row, tokens) => {
    const headers = tokens().map((value, index) => [
      index === 0 ? 'Authorization' : 'authorization',
      `Bearer ${value}`,
    ]);
    const answer = await exchange(service.url, rawRequest(`GET ${PATH}`, Object.fromEntries(headers) as never));
    expectError(answer, 401, /access token is invalid/);
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
  });

  test('401: a token of no one as well, whatever else is wrong with the request', async () => {
    const headers = { Authorization: `Bearer ${token}x`, 'Content-Type': 'application/json' };
    expectError(await service.client.send('POST', '/api/v1/sales/upload-daily', '{"rec', headers), 401, /invalid/);
  });
});
