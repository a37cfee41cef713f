import type { Answer, Client } from './client.js';
import { expectError } from './expect-error.js';

export const RIGHT = 'right password';

/** For an app with TRUST_PROXY=loopback: the request comes from this address. */
export const from = (address: string) => ({ 'X-Forwarded-For': address });

/** The statuses of so many failed logins, one after the other. */
export async function failTimes(
  times: number,
  client: Client,
  username: string,
  address: string,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) {
    statuses.push((await client.login(username, `wrong ${time}`, from(address))).status);
  }
  return statuses;
}

/** How many answers there were of each status: `{200: 50}`. */
export function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

let begunAt = 0;
beforeEach(() => void (begunAt = Date.now()));

/** 429, and when to come again: in so many seconds, less those that the test has taken. */
export function expectLocked(answer: Answer, seconds: number): void {
  expectError(answer, 429, /^{"error":"too many failed logins: please try again in \d+ seconds"}$/);
  const { headers } = answer;
  expect(headers.get('X-Error-Code')).toBe('too_many_failures');
  const wait = Number(headers.get('Retry-After'));
  expect(wait).toBeGreaterThan(seconds - 1 - (Date.now() - begunAt) / 1000);
  expect(wait).toBeLessThanOrEqual(seconds);
  expect(answer.text).toContain(` ${wait} seconds`);
  expect([...headers.keys()].filter((name) => /^x-ratelimit|^retry-after-/.test(name))).toEqual([]);
}
