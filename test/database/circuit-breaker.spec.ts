import { DatabaseError } from 'pg';
import { CircuitBreaker, CircuitOpen } from '../../src/database/circuit-breaker.js';

const TIMEOUT = new Error('Query read timeout');
const COOLDOWN_MS = 500;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('After a timeout', () => {
  test('the circuit is open, until half a second later', () => {
    const breaker = new CircuitBreaker(5000);
    breaker.assertClosed();
    expect(breaker.record(TIMEOUT)).toBe(true);
    jest.advanceTimersByTime(COOLDOWN_MS - 1);
    expect(() => breaker.assertClosed()).toThrow(CircuitOpen);
    jest.advanceTimersByTime(1);
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

  test('one caller tries again; the others wait for its outcome', () => {
    const breaker = new CircuitBreaker(5000);
    breaker.record(TIMEOUT);
    jest.advanceTimersByTime(COOLDOWN_MS);
    breaker.assertClosed();
    expect(() => breaker.assertClosed()).toThrow(CircuitOpen);
    breaker.record(new Error('connect ECONNREFUSED'));
    jest.advanceTimersByTime(COOLDOWN_MS);
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
