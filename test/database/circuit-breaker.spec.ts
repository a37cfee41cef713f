import { setTimeout as delay } from 'node:timers/promises';
import { CircuitBreaker, CircuitOpen } from '../../src/database/circuit-breaker.js';

const TIMEOUT = new Error('Query read timeout');

describe('After a timeout', () => {
  test('the circuit is open, until half a second later', async () => {
    const breaker = new CircuitBreaker();
    breaker.assertClosed();
    expect(breaker.record(TIMEOUT)).toBe(true);
    expect(() => breaker.assertClosed()).toThrow(CircuitOpen);
    await delay(550);
    breaker.assertClosed();
  });

  test.each([
    ['a result', undefined],
    ['an error response', new Error('duplicate key value violates unique constraint')],
  ])('%s closes it', (_what, outcome) => {
    const breaker = new CircuitBreaker();
    breaker.record(TIMEOUT);
    expect(breaker.record(outcome)).toBe(false);
    breaker.assertClosed();
  });
});
