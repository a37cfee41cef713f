import { ThrottlerStorage } from '@nestjs/throttler';
import type { PostgresThrottlerStorage } from '../../src/auth/throttling/postgres-throttler.storage.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('The storage of @nestjs/throttler in PostgreSQL', () => {
  let service: TestApp;
  let storages: PostgresThrottlerStorage[];
  beforeAll(async () => {
    service = await createTestApp();
    storages = [service, await service.another()].map(({ app }) =>
      app.get<PostgresThrottlerStorage>(ThrottlerStorage, { strict: false }),
    );
  });
  afterAll(() => service.close());

  /** So many seconds, less those that have passed. */
  const upTo = (seconds: number): unknown => ({
    asymmetricMatch: (left: number) => Number.isInteger(left) && left <= seconds && left > seconds / 2,
  });

  test('counts to the limit and blocks, over all instances, in the units of the interface', async () => {
    const key = `${'a'.repeat(64)} `;
    const free = { timeToExpire: upTo(60), isBlocked: false, timeToBlockExpire: 0 };
    expect(await storages[0]!.increment(key, 60_000, 3, 30_000)).toMatchObject({ ...free, totalHits: 1 });
    expect(await storages[1]!.increment(key, 60_000, 3, 30_000)).toMatchObject({ ...free, totalHits: 2 });
    const blocked = { totalHits: 3, timeToExpire: upTo(60), isBlocked: true, timeToBlockExpire: upTo(30) };
    expect(await storages[0]!.increment(key, 60_000, 3, 30_000)).toMatchObject(blocked);
    expect(await storages[1]!.increment(key, 60_000, 3, 30_000)).toMatchObject(blocked);
    expect(await storages[1]!.increment('b ', 60_000, 3, 30_000)).toMatchObject({ ...free, totalHits: 1 });
  });

  test('looks without counting', async () => {
    for (let time = 0; time < 3; time++) expect(await storages[0]!.findLongestLock(['looked-at '])).toBeUndefined();
    expect(await storages[1]!.increment('looked-at ', 60_000, 1, 30_000)).toMatchObject({ isBlocked: true });
    const lock = { key: 'looked-at ', lockedSeconds: upTo(30), rejectionRecorded: false };
    expect(await storages[0]!.findLongestLock(['free ', 'looked-at '])).toEqual(lock);
  });

  test('loses no hit of many at once', async () => {
    const hits = await Promise.all(
      storages.flatMap((storage) => Array.from({ length: 20 }, () => storage.increment('c ', 60_000, 100, 1000))),
    );
    expect(hits.map(({ totalHits }) => totalHits).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
  });
});
