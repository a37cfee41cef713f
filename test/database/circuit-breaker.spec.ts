import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { CircuitBreaker, CircuitOpen } from '../../src/database/circuit-breaker.js';

const TIMEOUT = new Error('Query read timeout');

describe('After a timeout', () => {
  test('the circuit is open, until half a second later', async () => {
    const breaker = new CircuitBreaker(5000);
    breaker.assertClosed();
    expect(breaker.record(TIMEOUT)).toBe(true);
    expect(() => breaker.assertClosed()).toThrow(CircuitOpen);
    await delay(550);
    breaker.assertClosed();
  });

  test.each([
    ['a result', undefined],
    ['an error response', new DatabaseError('duplicate key value', 0, 'error')],
  ])('%s closes it', (_what, outcome) => {
    const breaker = new CircuitBreaker(5000);
    breaker.record(TIMEOUT);
    expect(breaker.record(outcome)).toBe(false);
    breaker.assertClosed();
  });

  test('one caller tries again; the others wait for its outcome', async () => {
    const breaker = new CircuitBreaker(5000);
    breaker.record(TIMEOUT);
    await delay(550);
    breaker.assertClosed();
    expect(() => breaker.assertClosed()).toThrow(CircuitOpen);
    breaker.record(new Error('connect ECONNREFUSED'));
    await delay(550);
    breaker.assertClosed();
    breaker.record();
    breaker.assertClosed();
    breaker.assertClosed();
  });

  test('a full pool does not close it, as PostgreSQL has not responded', () => {
    const breaker = new CircuitBreaker(5000);
    breaker.record(TIMEOUT);
    expect(breaker.record(new Error('timeout exceeded when trying to connect'))).toBe(false);
    expect(() => breaker.assertClosed()).toThrow(CircuitOpen);
  });
});
