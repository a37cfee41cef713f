import { readdirSync, readFileSync } from 'node:fs';
import { IncomingMessage, request, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { JsonExpressAdapter } from '../../src/http/adapter/json-express.adapter.js';
import { expectError } from '../support/expect-error.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const folder = join(__dirname, '../../dist/web');
const assets = readdirSync(join(folder, 'assets'));
const script = `/app/assets/${assets.find((name) => /^index-.*\.js$/.test(name))}`;
const HTML = { Accept: 'text/html,application/xhtml+xml' };

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

/** Without the client that compares responses with the document, and decodes and follows them. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<any> {
  return new Promise((resolve, reject) => {
    const sent = request(service.url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({
          status: response.statusCode,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        });
      });
    });
    sent.on('error', reject).end();
  });
}

test('browsers are sent from / to /app/, and all others get 404', async () => {
  expect(await get('/', HTML)).toMatchObject({ status: 302, headers: { location: '/app/' } });
  expect(await get('/app')).toMatchObject({ status: 302, headers: { location: '/app/' } });
  expectError(await service.client.get('/'), 404);
  expectError(await service.client.get('/', { headers: { Accept: '*/*' } }), 404);
  expectError(await service.client.post('/', {}, { headers: HTML }), 404);
});

test('the page: no cache, and a policy that admits its own files alone', async () => {
  const { status, headers, bytes } = await get('/app/');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; .*frame-ancestors 'none'/,
  );
  expect(headers['content-security-policy']).not.toMatch(/unsafe|http|data:|\*/);
  expect(String(bytes)).not.toMatch(
    /<style|style=|<script(?! type="module" crossorigin src="\/app\/assets\/)/,
  );
});

test.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  [undefined, 'gzip, br;q=0', (bytes: Buffer) => bytes],
  [undefined, 'identity', (bytes: Buffer) => bytes],
] as const)(
  'a script is sent as %s to a client that accepts %s, to be kept for ever',
  async (encoding, accept, decode) => {
    const { status, headers, bytes } = await get(script, { 'Accept-Encoding': accept });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(bytes.length),
      vary: 'Accept-Encoding',
    });
    expect(
      decode(bytes as Buffer).equals(readFileSync(join(folder, script.replace('/app/', '')))),
    ).toBe(true);
  },
);

test('HEAD has the headers alone', async () => {
  const { status, headers, bytes } = await get(script, {}, 'HEAD');
  expect([status, bytes.length, Number(headers['content-length']) > 1000]).toEqual([200, 0, true]);
});

test.each([
  '/app/nothing',
  '/app/assets/nothing.js',
  '/app/../package.json',
  '/app/%2e%2e/package.json',
  '/app/index.html.br',
  '/app/.sources',
  '/apps',
])('404: %s', async (path) => {
  const { status, bytes } = await get(path);
  expect([status, JSON.parse(String(bytes))]).toEqual([404, { error: expect.any(String) }]);
});

test('404: other methods', async () => {
  expectError(await service.client.post('/app/', {}), 404);
});

test('the page counts with the requests without a token: 503 when these are too many', async () => {
  const adapter = service.app.getHttpAdapter();
  if (!(adapter instanceof JsonExpressAdapter)) throw new Error('another adapter');
  const { anonymousSlots } = adapter;
  let isTaken = true;
  while (isTaken)
    isTaken = anonymousSlots.acquire(new ServerResponse(new IncomingMessage(new Socket())));
  const { status, headers } = await get('/app/');
  anonymousSlots.clear();
  expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^[1-5]$/)]);
  await get('/app/');
  await eventually(() => anonymousSlots.size === 0, 'the slot to be free');
});

test('with CORS, caches keep the responses to different origins apart', async () => {
  const { url } = await service.another({ CORS_ORIGINS: 'https://office.example' });
  const varyOf = async (path: string) =>
    (await fetch(url + path, { headers: HTML, redirect: 'manual' })).headers.get('Vary');
  expect([await varyOf('/app/'), await varyOf('/')]).toEqual([
    'Origin, Accept-Encoding',
    'Origin, Accept',
  ]);
});

test('WEB_APP=false: there is no page', async () => {
  const { client } = await service.another({ WEB_APP: false });
  for (const path of ['/', '/app', '/app/'])
    expectError(await client.get(path, { headers: HTML }), 404);
});

test('all of the page is at most 30 kB compressed', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.br'),
  );
  const total = files.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThan(30_000);
});
