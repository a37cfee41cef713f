import { setTimeout as delay } from 'node:timers/promises';
import { givenTill } from '../support/given.js';
import { day } from '../support/records.js';
import { from, RIGHT, tally } from '../support/logins.js';
import type { Answer } from '../support/client.js';
import { createTestApp } from '../support/test-app.js';

const TILL = '203.0.113.7';

/** `times` works, `width` of them at once. */
async function many<Result>(times: number, width: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < times) results.push(await work(next++));
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}

describe('Strangers who try to shut a till out', () => {
  test('fail 300 times at a hundred addresses, on two instances; the till, where it was before, works on', async () => {
    const service = await createTestApp({ TRUST_PROXY: 'loopback' });
    const other = await service.another();
    const { username } = await givenTill(service, { password: RIGHT });
    await service.client.login(username, RIGHT, from(TILL));
    const answers = await many(300, 20, (index) => {
      const { client } = index % 2 === 0 ? service : other;
      return client.login(username, `guess ${index}`, from(`198.51.100.${index % 100}`));
    });
    const { 401: compared = 0, 429: refused = 0 } = tally(answers);
    expect(compared + refused).toBe(300);
    expect(compared).toBe(50);
    for (const { client } of [service, other]) {
      const login = await client.login(username, RIGHT, from(TILL));
      expect(login.status).toBe(200);
      expect((await client.upload(login.body.access_token as string, day())).status).toBe(200);
      expect((await client.login(username, RIGHT, from('198.51.100.200'))).status).toBe(429);
    }
    await service.close();
  });

  test('keep every hashing thread busy; the till goes before them', async () => {
    const service = await createTestApp({
      TRUST_PROXY: 'loopback',
      HASH_THREADS: 1,
      HASH_QUEUE_MAX: 4,
      BCRYPT_COST: 10,
    });
    const { username } = await givenTill(service, { password: RIGHT });
    await service.client.login(username, RIGHT, from(TILL));
    let flooding = true;
    const seen: Answer[] = [];
    const flood = Array.from({ length: 16 }, async (_, index) => {
      while (flooding) {
        seen.push(await service.client.login(`guess ${seen.length}`, 'wrong', from(`198.51.100.${index}`)));
        if (seen.at(-1)!.status === 503) await delay(20); // the queue of four stays full
      }
    });
    while (!seen.some(({ status }) => status === 503)) await service.client.get('/health/live');
    const logins = await many(5, 1, () => service.client.login(username, RIGHT, from(TILL)));
    flooding = false;
    await Promise.all(flood);
    expect(tally(logins)).toEqual({ 200: 5 });
    const refused = seen.find(({ status }) => status === 503)!;
    expect(refused.headers.get('X-Error-Code')).toBe('too_many_logins');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    await service.close();
  });
});
