import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../support/client.js';
import { givenTill } from '../support/given.js';
import { NestFeaturesModule, seen } from './nest-features.module.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const start = () => createTestApp({}, undefined, { imports: [NestFeaturesModule] });

let service: TestApp;
beforeAll(async () => (service = await start()));
afterAll(() => service.close());

type Received = Omit<Answer, 'body'>;

async function send(path: string, init: RequestInit = {}): Promise<Received> {
  const response = await fetch(service.url + path, { redirect: 'manual', ...init });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const get = (path: string): Promise<Received> => send(`/nest/${path}`);

function post(path: string, body: unknown): Promise<Received> {
  const headers = { 'Content-Type': 'application/json' };
  return send(`/nest/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function expectGet(path: string, status: number, text: string): Promise<void> {
  expect(await get(path)).toMatchObject({ status, text });
}

async function expectError(path: string, status: number, error: string, code: string) {
  const { headers, ...received } = await get(path);
  expect(received).toEqual({ status, text: JSON.stringify({ error }) });
  expect(headers.get('X-Error-Code')).toBe(code);
}

const ORDER = { tables: 2, at: '2025-10-15T10:00:00.000Z', toppings: [{ name: 'basil' }] };

/** The names are those of the table in docs/extending.md. */
const FEATURES: Record<string, () => Promise<void>> = {
  'class-validator': async () => {
    const wrong = { ...ORDER, tables: 'x', toppings: [{ name: 1 }] };
    const { status, text } = await post('order', wrong);
    expect(status).toBe(400);
    expect(text).toMatch(/tables must be an integer.*toppings\[0]\.name must be a string/);
  },
  '@Type': async () => {
    const { text } = await post('order', { ...ORDER, unknown: 1 });
    expect(JSON.parse(text)).toEqual({ isDate: true, order: ORDER });
    expect((await get('query?tables=7')).text).toBe('{"tables":7}');
  },
  PartialType: async () => {
    expect((await post('changes', { tables: 3 })).text).toBe('{"tables":3}');
    expect((await post('changes', { tables: 'x' })).status).toBe(400);
  },
  ParseIntPipe: async () => {
    await expectGet('integers/7', 200, '{"id":7}');
    const error = 'Validation failed (numeric string is expected)';
    await expectError('integers/x', 400, error, 'bad_request');
  },
  ParseArrayPipe: async () => {
    expect((await post('list', [{ name: 'basil' }])).text).toBe('{"first":true}');
    expect((await post('list', [{ name: 1 }])).status).toBe(400);
  },
  NotFoundException: () => expectError('exceptions/not-found', 404, 'no such order', 'not_found'),
  HttpException: async () => {
    await expectError('exceptions/http', 418, 'short and stout', 'i_m_a_teapot');
    await expectError('exceptions/object', 422, 'one; two', 'unprocessable_entity');
    await expectError('exceptions/unauthorized', 401, 'Unauthorized', 'unauthorized');
  },
  '@UseFilters': () => expectGet('kettle', 418, '{"from":"@UseFilters"}'),
  APP_FILTER: () => expectGet('exceptions/teapot', 418, '{"from":"APP_FILTER"}'),
  APP_INTERCEPTOR: async () =>
    expect((await get('empty')).headers.get('X-Intercepted')).toBe('yes'),
  '@UseInterceptors': () => expectGet('wrapped', 200, '{"data":"inner"}'),
  '@UseGuards': () => expectGet('closed', 403, '{"error":"Forbidden resource"}'),
  APP_GUARD: async () => {
    await expectGet('forbidden', 403, '{"error":"Forbidden resource"}');
    seen.users.length = 0;
    expect((await get('token')).status).toBe(401);
    expect(seen.users).toEqual([]);
    const { token } = await givenTill(service);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await send('/nest/token', { headers })).status).toBe(200);
    expect(seen.users).toEqual([expect.objectContaining({ userId: expect.any(Number) })]);
  },
  '@Throttle': async () => {
    const answers = [];
    for (let sent = 0; sent < 3; sent += 1) answers.push(await get('twice'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]!.text).toContain('Too Many Requests');
  },
  middleware: () => expectGet('middleware', 200, '{"from":"middleware"}'),
  '@InjectRepository': () => expectGet('repository', 200, '{"users":0}'),
  '@nestjs/event-emitter': () => expectGet('event', 200, '{"heard":"table 7"}'),
  '@nestjs/schedule': async () => {
    const before = seen.ticks;
    while (seen.ticks < before + 2) await delay(10);
  },
  Logger: async () => {
    await get('log');
    const { serviceErrors } = globalThis as { serviceErrors?: string[] };
    expect(serviceErrors!.join()).toMatch(/"Features".*the kettle is empty/);
  },
  'lifecycle hooks': async () => {
    seen.hooks.length = 0;
    await (await start()).close();
    expect(seen.hooks).toEqual([
      ...['onModuleInit', 'onApplicationBootstrap'],
      ...['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'],
    ]);
  },
  '@Sse': async () => {
    const { status, text, headers } = await get('events');
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toMatch(/^text\/event-stream/);
    expect(text).toMatch(/data: {"count":1}[^]*data: {"count":2}/);
  },
  StreamableFile: () => expectGet('file', 200, 'a,b\n'),
  '@Redirect': async () => {
    const { status, headers } = await get('redirect');
    expect([status, headers.get('Location')]).toEqual([301, '/elsewhere']);
  },
  '@HttpCode(204)': async () => {
    const { status, text } = await send('/nest/nothing', { method: 'DELETE' });
    expect([status, text]).toEqual([204, '']);
  },
  'an empty result': () => expectGet('empty', 200, ''),
  FileInterceptor: async () => {
    const form = new FormData();
    form.set('file', new Blob(['hello']), 'hello.txt');
    const init = { method: 'POST', body: form };
    const text = '{"name":"hello.txt","size":5}';
    expect(await send('/nest/file', init)).toMatchObject({ status: 201, text });
    form.set('file', new Blob(['x'.repeat(101)]), 'large.txt');
    const error = { status: 413, text: '{"error":"File too large"}' };
    expect(await send('/nest/file', init)).toMatchObject(error);
  },
  '@Res({ passthrough: true })': () => expectGet('passthrough', 202, '{"own":true}'),
};

describe('What the documentation of Nest says works', () => {
  test.each(Object.entries(FEATURES))('%s', async (_name, use) => use());

  test('any other error is a 500 that tells nothing', async () => {
    const { status, text } = await get('exceptions/other');
    expect([status, text.includes('secret')]).toEqual([500, false]);
  });

  test('the throttlers of the login count no other route', async () => {
    expect(await service.database.query('SELECT FROM login_counters')).toEqual([]);
  });

  test('the guide lists it', () => {
    const guide = readFileSync(join(__dirname, '../../docs/extending.md'), 'utf8');
    const [, section = ''] = /\n## What of Nest works\n([^]*?)\n## /.exec(guide) ?? [];
    const listed = [...section.matchAll(/^\| ([^|]+?) +\|/gm)].flatMap(([, cell]) =>
      cell!.split(' · ').map((name) => name.replaceAll('`', '')),
    );
    expect(listed.slice(1)).toEqual(Object.keys(FEATURES)); // after the head of the table
  });
});
