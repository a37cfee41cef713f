import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSilent, Silence } from '../src/database/silence.js';

const NO_ANSWER = new Error('Query read timeout');

describe('While the database is silent', () => {
  test('nobody else waits for it, until somebody tries again half a second later', async () => {
    const silence = new Silence();
    silence.assertNone();
    expect(silence.learn(NO_ANSWER)).toBe(true);
    expect(() => silence.assertNone()).toThrow(DatabaseSilent);
    await delay(550);
    silence.assertNone();
  });

  test.each([
    ['an answer', undefined],
    ['a refusal', new Error('duplicate key value violates unique constraint')],
  ])('%s ends it', (_what, answer) => {
    const silence = new Silence();
    silence.learn(NO_ANSWER);
    expect(silence.learn(answer)).toBe(false);
    silence.assertNone();
  });
});
