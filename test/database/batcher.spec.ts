import { Batcher, type BatcherOptions } from '../../src/database/batcher.js';
import { DatabaseTimeout } from '../../src/database/timed-pool.js';

type Options = Partial<BatcherOptions<string>>;
/** Items of a letter each that are added, a batch that ends, or null for 20 ms; what this starts. */
type Step = readonly [step: string | number | null, started: string];

describe('Calls that wait at the same moment', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  test.each<[string, Options, ...Step[]]>([
    [
      'share a batch, while the first never waits',
      { maxConcurrency: 1 },
      ['abcd', 'a'],
      [0, 'bcd'],
    ],
    [
      'start another batch as soon as they are as many as are running',
      {},
      ['abcd', 'a b cd'], // 1 beside 1, then 2 beside 2
      ['efg', ''],
      [0, 'efg'], // 3 beside the 3 that are left
    ],
    [
      'never run in more batches than maxConcurrency, nor in larger ones than maxBatchSize',
      { maxConcurrency: 2, maxBatchSize: 3 },
      ['abcdefgh', 'a b'],
      [0, 'cde'],
      [1, 'fgh'],
    ],
    [
      'are started though a batch is blocked',
      { maxBatchSize: 3 },
      ['abcdefg', 'a b cd'],
      [0, 'efg'],
      ['x', ''],
      [null, 'x'],
    ],
    [
      'never share a batch where their key is the same, and keep their order',
      { maxConcurrency: 1, keyOf: (item) => item.toLowerCase() },
      ['xaAbB', 'x'],
      [0, 'ab'],
      [1, 'AB'],
    ],
  ])('%s', async (_name, options, ...steps) => {
    const batches: string[] = [];
    const ends: (() => void)[] = [];
    const results: Promise<string>[] = [];
    const run = async (items: string[]): Promise<string[]> => {
      batches.push(items.join(''));
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map((item) => `${item}!`);
    };
    const batcher = new Batcher(run, { maxConcurrency: 4, maxBatchSize: 16, ...options });
    for (const [step, started] of steps) {
      const before = batches.length;
      if (typeof step === 'number') ends[step]!();
      else if (step === null) jest.advanceTimersByTime(20);
      else results.push(...Array.from(step, (item) => batcher.add(item)));
      await new Promise((resolve) => setImmediate(resolve));
      expect([step, batches.slice(before).join(' ')]).toEqual([step, started]);
    }
    for (const end of ends) end();
    const added = steps.flatMap(([step]) => (typeof step === 'string' ? Array.from(step) : []));
    expect(await Promise.all(results)).toEqual(added.map((item) => `${item}!`));
  });
});

test.each([
  ['did not respond in time', new DatabaseTimeout('of the driver')],
  ['has gone', new Error('connection refused')],
])('Where PostgreSQL %s, waiting calls have no time for another try', async (_what, error) => {
  const run = jest.fn(() => Promise.reject(error));
  const batcher = new Batcher(run, { maxConcurrency: 1, maxBatchSize: 1 });
  const results = await Promise.allSettled(['a', 'b', 'c'].map((item) => batcher.add(item)));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(run).toHaveBeenCalledTimes(1);
});
