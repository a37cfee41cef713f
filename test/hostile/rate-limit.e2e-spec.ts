import type { AddressInfo } from 'node:net';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppConfig } from '../../src/config/app-config.js';
import { BoundedThrottlerStorage, RateLimit } from '../../src/http/rate-limit.decorator.js';
import { ErrorFilter } from '../../src/http/server/error.filter.js';
import { JsonExpressAdapter } from '../../src/http/server/json-express.adapter.js';

@Controller()
class LimitedController {
  @Get('limited')
  @RateLimit(2, 60)
  limited(): object {
    return {};
  }

  @Get('free')
  free(): object {
    return {};
  }
}

@Module({ controllers: [LimitedController] })
class LimitedModule {}

let app: NestExpressApplication;
let user: { userId: number } | undefined;
let now: number;
beforeAll(async () => {
  const adapter = new JsonExpressAdapter(new AppConfig(), []);
  app = await NestFactory.create<NestExpressApplication>(LimitedModule, adapter, { bodyParser: false, logger: false });
  app.set('trust proxy', true);
  app.useGlobalFilters(new ErrorFilter(adapter));
  app.use((request: { user?: typeof user }, _response: unknown, next: () => void) => {
    if (user) request.user = user;
    next();
  });
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

beforeEach(() => {
  now = (now || performance.now()) + 60_000; // a window for each test
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

function get(path: string, address: string): Promise<Response> {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-Forwarded-For': address } });
}

async function statuses(times: number, path: string, address: string): Promise<number[]> {
  const found: number[] = [];
  while (found.length < times) found.push((await get(path, address)).status);
  return found;
}

test('A route is limited for each address, and a /64 of IPv6 counts as one', async () => {
  expect(await statuses(3, '/limited', '192.0.2.1')).toEqual([200, 200, 429]);
  expect(await statuses(1, '/limited', '192.0.2.2')).toEqual([200]);
  expect(await statuses(3, '/free', '192.0.2.1')).toEqual([200, 200, 200]);
  expect(await statuses(2, '/limited', '2001:db8::1')).toEqual([200, 200]);
  expect(await statuses(1, '/limited', '2001:db8::2:1')).toEqual([429]);
});

test('A user is limited wherever the requests come from, and no other user with it', async () => {
  user = { userId: 1 };
  expect(await statuses(2, '/limited', '192.0.2.3')).toEqual([200, 200]);
  expect(await statuses(1, '/limited', '192.0.2.4')).toEqual([429]);
  user = { userId: 2 };
  expect(await statuses(1, '/limited', '192.0.2.3')).toEqual([200]);
  user = undefined;
});

test('The response says when to retry, and then the request succeeds', async () => {
  await statuses(2, '/limited', '192.0.2.5');
  now += 20_001;
  const rejected = await get('/limited', '192.0.2.5');
  expect([rejected.status, rejected.headers.get('Retry-After'), rejected.headers.get('X-Error-Code')]).toEqual([
    429,
    '40',
    'too_many_requests',
  ]);
  expect(await rejected.json()).toEqual({ error: expect.stringMatching(/retry after/) });
  now += 40_000;
  expect((await get('/limited', '192.0.2.5')).status).toBe(200);
});

test('Of more clients than fit, the oldest is forgotten', async () => {
  const storage = new BoundedThrottlerStorage(2);
  const hits = async (client: string): Promise<number> => (await storage.increment(client, 1000, 1)).totalHits;
  expect([await hits('a'), await hits('b'), await hits('a'), await hits('c')]).toEqual([1, 1, 2, 1]);
  expect([await hits('b'), await hits('c'), await hits('a')]).toEqual([2, 2, 1]);
});
