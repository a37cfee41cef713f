import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RestaurantsService } from '../../src/restaurants/restaurants.service.js';
import { type Answer, Client } from '../support/client.js';
import { givenTill } from '../support/given.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { NestFeaturesModule, seen } from './nest-features.module.js';

const start = () => createTestApp({}, undefined, { imports: [NestFeaturesModule] });

let service: TestApp;
beforeAll(async () => (service = await start()));
afterAll(() => service.close());

/** Compares no response with the document, which has none of these routes. */
const client = (): Client => new Client(service.url);
const get = (path: string): Promise<Answer> => client().get(`/nest/${path}`);
const post = (path: string, body: unknown): Promise<Answer> => client().post(`/nest/${path}`, body);

async function expectGet(path: string, status: number, text: string, code?: string) {
  const answer = await get(path);
  expect([answer.status, answer.text]).toEqual([status, text]);
  expect(answer.headers.get('X-Error-Code')).toBe(code ?? null);
}

const expectError = (path: string, status: number, error: string, code: string): Promise<void> =>
  expectGet(path, status, JSON.stringify({ error }), code);

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
  ParseBoolPipe: async () => {
    await expectGet('pipes?flag=false&page=7', 200, '{"flag":false,"page":7}');
    const error = 'Validation failed (boolean string is expected)';
    await expectError('pipes?flag=x', 400, error, 'bad_request');
  },
  DefaultValuePipe: () => expectGet('pipes?flag=true', 200, '{"flag":true,"page":5}'),
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
  '@nestjs/terminus': () => {
    const error = 'Service Unavailable Exception: database, disk';
    return expectError('exceptions/unhealthy', 503, error, 'service_unavailable');
  },
  '@UseFilters': () => expectGet('kettle', 418, '{"from":"@UseFilters"}'),
  APP_FILTER: () => expectGet('exceptions/teapot', 418, '{"from":"APP_FILTER"}'),
  BaseExceptionFilter: () => expectGet('based', 404, '{"error":"no such order"}', 'not_found'),
  APP_INTERCEPTOR: async () =>
    expect((await get('empty')).headers.get('X-Intercepted')).toBe('yes'),
  '@UseInterceptors': () => expectGet('wrapped', 200, '{"data":"inner"}'),
  '@UseGuards': () => expectError('closed', 403, 'Forbidden resource', 'forbidden'),
  APP_GUARD: async () => {
    await expectError('forbidden', 403, 'Forbidden resource', 'forbidden');
    seen.users.length = 0;
    expect((await get('token')).status).toBe(401);
    expect(seen.users).toEqual([]);
    const { token } = await givenTill(service);
    expect((await client().get('/nest/token', { token })).status).toBe(200);
    expect(seen.users).toEqual([expect.objectContaining({ userId: expect.any(Number) })]);
  },
  '@Throttle': async () => {
    for (const status of [200, 200]) await expectGet('twice', status, '');
    const error = 'ThrottlerException: Too Many Requests';
    await expectError('twice', 429, error, 'too_many_requests');
  },
  middleware: () => expectGet('passthrough', 202, '{"middleware":"here"}'),
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
  '@Version': async () => {
    expect((await client().get('/api/v2/nest/versioned')).status).toBe(200);
    expect((await client().get('/api/v1/nest/versioned')).status).toBe(404);
  },
  '@Redirect': async () => {
    const { status, headers } = await fetch(`${service.url}/nest/redirect`, { redirect: 'manual' });
    expect([status, headers.get('Location')]).toEqual([301, '/elsewhere']);
  },
  '@HttpCode(204)': async () => {
    expect(await client().delete('/nest/nothing')).toMatchObject({ status: 204, text: '' });
  },
  'an empty result': () => expectGet('empty', 200, ''),
  FileInterceptor: async () => {
    const upload = async (content: string): Promise<[number, string]> => {
      const body = new FormData();
      body.set('file', new Blob([content]), 'hello.txt');
      const response = await fetch(`${service.url}/nest/file`, { method: 'POST', body });
      return [response.status, await response.text()];
    };
    expect(await upload('hello')).toEqual([201, '{"name":"hello.txt","size":5}']);
    expect(await upload('x'.repeat(101))).toEqual([413, '{"error":"File too large"}']);
  },
  '@Res({ passthrough: true })': () => expectGet('passthrough', 202, '{"middleware":"here"}'),
};

describe('What the documentation of Nest says works', () => {
  test.each(Object.entries(FEATURES))('%s', async (_name, use) => use());

  test('any other error is a 500 that tells nothing', () => {
    const error = 'internal server error: send the request again later, it is safe to retry';
    return expectError('exceptions/other', 500, error, 'internal_error');
  });

  test('a provider that a test overrides takes the place of that of the service', async () => {
    const useValue = { listVisible: () => Promise.resolve([]) };
    const overrides = [{ provide: RestaurantsService, useValue }];
    const other = await createTestApp({}, undefined, { overrides });
    const { token } = await givenTill(service);
    expect(other.app.get(RestaurantsService)).toBe(useValue);
    await other.close();
    expect((await service.client.get('/api/v1/restaurants', { token })).status).toBe(200);
  });

  test('the test client sends PATCH and forms', async () => {
    const { client: own } = service;
    const form = new FormData();
    form.set('file', new Blob(['hello']), 'hello.txt');
    const answer = await client().postForm('/nest/file', form);
    expect([answer.status, answer.text]).toEqual([201, '{"name":"hello.txt","size":5}']);
    expect((await own.patch('/nest/nothing', {})).status).toBe(404);
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
