import { setTimeout as delay } from 'node:timers/promises';
import { CircuitOpen, CircuitBreaker } from '../../src/database/circuit-breaker.js';

const NO_ANSWER = new Error('Query read timeout');

describe('While the database is silent', () => {
  test('nobody else waits for it, until somebody tries again half a second later', async () => {
    const silence = new CircuitBreaker();
    silence.assertClosed();
    expect(silence.learn(NO_ANSWER)).toBe(true);
    expect(() => silence.assertClosed()).toThrow(CircuitOpen);
    await delay(550);
    silence.assertClosed();
  });

  test.each([
    ['an answer', undefined],
    ['a refusal', new Error('duplicate key value violates unique constraint')],
  ])('%s ends it', (_what, answer) => {
    const silence = new CircuitBreaker();
    silence.learn(NO_ANSWER);
    expect(silence.learn(answer)).toBe(false);
    silence.assertClosed();
  });
});
