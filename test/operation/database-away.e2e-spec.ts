import { DataSource } from 'typeorm';
import { poolOf } from '../../src/database/database.js';
import type { Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { endLeftovers, eventually, ServiceProcess } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched, timed } from '../support/time-limits.js';

const POOL = 10;

let near: TestApp;
let proxy: TcpProxy;
let service: TestApp;
let till: { username: string; password: string; token: string };
beforeAll(async () => {
  near = await createTestApp();
  till = await givenTill(near);
  proxy = await TcpProxy.to(near.database.url);
  service = await near.another({ DATABASE_URL: proxy.url, DATABASE_POOL_MAX: POOL, RESPONSE_TIMEOUT_MS: 5000 });
});
afterAll(async () => {
  await near.close();
  await proxy.close();
});

/** Uploads, logins, and what goes by way of TypeORM, all at once; each with the time that it took. */
async function askEverything(): Promise<{ answer: Answer; ms: number }[]> {
  const asks = Array.from({ length: 12 }, (_, hour) => [
    () => service.client.upload(till.token, [record({ hour })]),
    () => service.client.login(till.username, till.password),
    () => service.client.get('/api/v1/restaurants', { token: till.token }),
  ]);
  return Promise.all(
    asks.flat().map(async (ask) => {
      const { result: answer, ms } = await timed(ask);
      return { answer, ms };
    }),
  );
}

/** The first statements of a connection may exceed their limits on a slow machine. */
async function fillThePool(): Promise<void> {
  await eventually(
    async () => (await askEverything()).every(({ answer }) => answer.status === 200),
    'every request to be served',
  );
}

async function expectRecovery(): Promise<void> {
  const { ms } = await timed(async () => {
    await eventually(async () => (await service.client.upload(till.token, [record()])).status === 200, 'an upload');
    await eventually(async () => (await service.client.login(till.username, till.password)).status === 200, 'a login');
  });
  expect(ms).toBeLessThan(stretched(5000));
  await fillThePool();
  await eventually(() => proxy.connections <= POOL, 'connections that were given up to be closed');
}

describe('While PostgreSQL', () => {
  test.each([
    ['is stopped', 'refuse'],
    ['is frozen, or its packets are dropped', 'hold'],
  ] as const)('%s: 500 within five seconds to each, and all is well within five of its return', async (_how, mode) => {
    await fillThePool();
    const busy = askEverything(); // the fault meets some of them half-way
    proxy[mode]();
    const rounds = [busy];
    for (let round = 0; round < 3; round++)
      rounds.push(new Promise((done) => setTimeout(done, round * 1500)).then(askEverything));
    for (const { answer, ms } of (await Promise.all(rounds)).flat()) {
      if (answer.status !== 200) expectError(answer, 500, /internal server error/);
      expect(ms).toBeLessThan(stretched(5000));
    }
    expect((await service.client.upload(undefined, [record()])).status).toBe(401); // needs no database
    proxy.forward();
    await expectRecovery();
  });
});

test('Connections that died without a word are all dropped once one was found out', async () => {
  await fillThePool();
  expect(proxy.connections).toBeGreaterThan(4);
  proxy.forget();
  expectError(await service.client.upload(till.token, [record()]), 500);
  await expectRecovery();
});

test('A connection on which TypeORM gave a statement up, or left a transaction open, is not used again', async () => {
  const limits = { DATABASE_POOL_MAX: 1, RESPONSE_TIMEOUT_MS: 5000 };
  const source = (await near.another({ DATABASE_URL: proxy.url, ...limits })).app.get(DataSource);
  const connected = () => eventually(() => source.query('SELECT 1').then(() => true, () => false), 'a connection'); // prettier-ignore
  await connected();
  const runner = source.createQueryRunner();
  await runner.query('BEGIN');
  await runner.release();
  expect(poolOf(source).totalCount).toBe(0);
  await connected();
  proxy.hold();
  await expect(source.query('SELECT 1')).rejects.toThrow('Query read timeout');
  expect(poolOf(source).totalCount).toBe(0);
  proxy.forward();
});

describe('A start before PostgreSQL', () => {
  test('waits for it, says so, and then migrates', async () => {
    await near.database.query('DROP SCHEMA public CASCADE');
    await near.database.query('CREATE SCHEMA public');
    const owner = await TcpProxy.to(near.database.ownerUrl);
    owner.refuse();
    const early = new ServiceProcess({ DATABASE_URL: owner.url });
    await early.said(/the database cannot be reached.*waiting for it, 60 seconds at most/);
    owner.forward();
    await early.ready();
    expect((await early.client.get('/health/ready')).status).toBe(200);
    expect(early.log.map(({ level }) => level as string)).toEqual(['warn', 'info']);
    await early.stop();
    await owner.close();
  });

  test.each([
    [
      'is never there',
      { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/b', DATABASE_WAIT_SECONDS: '1' },
      /ECONNREFUSED/,
    ],
    ['knows no such database', {}, /database "none" does not exist/],
  ])('that %s ends with one line', async (_why, settings, reason) => {
    const url = new URL(near.database.url);
    url.pathname = '/none';
    const service = new ServiceProcess({ DATABASE_URL: url.href, ...settings });
    expect((await service.exited).code).toBe(1);
    expect(service.stderr).toMatch(/^the database cannot be reached: .+\n$/);
    expect(service.stderr).toMatch(reason);
    expect(service.stdout + service.stderr).not.toContain('secret');
  });
});

afterAll(endLeftovers);
