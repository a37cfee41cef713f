import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { SlotGuard } from '../../src/http/requests/slot.guard.js';
import { expectError } from '../support/expect-error.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const folder = join(__dirname, '../../dist/web');
const assets = readdirSync(join(folder, 'assets'));
const script = `/app/assets/${assets.find((name) => /^index-.*\.js$/.test(name))}`;
const HTML = { Accept: 'text/html,application/xhtml+xml' };

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

/** Without the client that compares responses with the document, and decodes and follows them. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request(service.url + path, { method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = await buffer(response);
  return { status: response.statusCode, headers: response.headers, bytes };
}

test('browsers are sent from / to /app/, and all others get 404', async () => {
  for (const answer of [await get('/', HTML), await get('/app')])
    expect(answer).toMatchObject({ status: 302, headers: { location: '/app/' } });
  expectError(await service.client.get('/'), 404);
  expectError(await service.client.get('/', { headers: { Accept: '*/*' } }), 404);
  for (const path of ['/', '/app/'])
    expectError(await service.client.post(path, {}, { headers: HTML }), 404);
});

test('the page: no cache, and a policy that admits its own files alone', async () => {
  const { status, headers, bytes } = await get('/app/');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  const policy = headers['content-security-policy'];
  expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
  expect(policy).not.toMatch(/unsafe|http|data:|\*/);
  const inline = /<style|style=|<script(?! type="module" crossorigin src="\/app\/assets\/)/;
  expect(String(bytes)).not.toMatch(inline);
});

test.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'gzip, br;q=0', gunzipSync],
  [undefined, 'identity', (bytes: Buffer) => bytes],
] as const)('a script, kept forever, is %s for %s', async (encoding, accept, decode) => {
  const { status, headers, bytes } = await get(script, { 'Accept-Encoding': accept });
  expect(status).toBe(200);
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': String(bytes.length),
    vary: 'Accept-Encoding',
  });
  const file = readFileSync(join(folder, script.replace('/app/', '')));
  expect(decode(bytes).equals(file)).toBe(true);
});

test('HEAD has the headers alone', async () => {
  const { status, headers, bytes } = await get(script, {}, 'HEAD');
  expect([status, bytes.length, Number(headers['content-length']) > 1000]).toEqual([200, 0, true]);
});

const HIDDEN = '/app/../package.json /app/%2e%2e/package.json /app/index.html.br /app/.sources';

test.each(`/app/nothing /app/assets/nothing.js /apps ${HIDDEN}`.split(' '))(
  '404: %s',
  async (path) => {
    const { status, bytes } = await get(path);
    expect([status, JSON.parse(String(bytes))]).toEqual([404, { error: expect.any(String) }]);
  },
);

test('a browser that has a file gets 304 and no body; each form of a file has a tag of its own', async () => {
  const tags: unknown[] = [];
  for (const path of ['/app/', script])
    for (const accept of ['br', 'identity']) {
      const { headers } = await get(path, { 'Accept-Encoding': accept });
      const conditional = { 'Accept-Encoding': accept, 'If-None-Match': `"x", ${headers.etag}` };
      const { status, bytes, headers: unchanged } = await get(path, conditional);
      expect([status, bytes.length, unchanged.etag]).toEqual([304, 0, headers.etag]);
      expect(unchanged['cache-control']).toBe(headers['cache-control']);
      tags.push(headers.etag);
    }
  expect(new Set(tags).size).toBe(4);
  expect((await get(script, { 'If-None-Match': tags[0] as string })).status).toBe(200);
});

test('clients that ask for the page and do not read it, or go away, take no slot', async () => {
  const { inFlight } = service.app.get(SlotGuard);
  inFlight.anonymous = Infinity;
  const { status } = await get('/app/');
  inFlight.anonymous = 0;
  expect(status).toBe(200);
});

test('with CORS, caches keep the responses to different origins apart', async () => {
  const { url } = await service.another({ CORS_ORIGINS: 'https://office.example' });
  const vary = { '/app/': 'Origin, Accept-Encoding', '/': 'Origin, Accept' };
  for (const [path, expected] of Object.entries(vary)) {
    const { headers } = await fetch(url + path, { headers: HTML, redirect: 'manual' });
    expect(headers.get('Vary')).toBe(expected);
  }
});

test('WEB_APP=false: there is no page', async () => {
  const { client } = await service.another({ WEB_APP: false });
  for (const path of ['/', '/app', '/app/'])
    expectError(await client.get(path, { headers: HTML }), 404);
});

test('the first view is at most 33 kB compressed, and the rest is loaded when it is shown', () => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sizeOf = (name: string): number => readFileSync(join(folder, name)).length;
  const compressed = names.filter((name) => name.endsWith('.br'));
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = compressed.filter(
    (name) => name === 'index.html.br' || html.includes(name.replace(/\.br$/, '')),
  );
  const total = (of: string[]): number => of.reduce((sum, name) => sum + sizeOf(name), 0);
  expect(total(first)).toBeGreaterThan(15_000);
  expect(total(first)).toBeLessThan(33_000);
  expect(total(compressed)).toBeGreaterThan(total(first) + 20_000); // the workbooks' library
});
