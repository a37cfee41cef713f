import { DatabaseError } from 'pg';
import { Batcher, type BatcherOptions } from '../../src/database/batcher.js';
import { DatabaseTimeout } from '../../src/database/timed-pool.js';

const BAD_ITEM = Object.assign(new DatabaseError('out of range', 0, 'error'), { code: '22003' });
const LOCKED = new DatabaseTimeout('lock_timeout');
const GONE = new Error('connection refused');

type Options = Partial<BatcherOptions<string>>;
/** Items of a letter each that are added, or a batch that ends and how; and what this starts. */
type Step = readonly [step: string | number | readonly [batch: number, error: Error], string];

const immediate = () => new Promise((resolve) => setImmediate(resolve));

describe('Calls that wait at the same moment', () => {
  test.each<[string, Options, ...Step[]]>([
    [
      'share a batch; what comes later takes another lane, and then shares one',
      { lanes: 2 },
      ['ab', 'ab'],
      ['c', 'c'],
      ['de', ''],
      [0, 'de'],
      ['f', ''],
      [1, 'f'],
    ],
    [
      'are no more in a batch than maxBatchSize',
      { lanes: 1, maxBatchSize: 3 },
      ['abcdef', 'abc'],
      [0, 'def'],
    ],
    [
      'of one key run one after the other, in their order, and take one lane',
      { lanes: 2 },
      ['aAA', 'a'],
      ['bcd', 'bcd'],
      [0, 'A'],
      [2, 'A'],
    ],
    [
      'of one group share a batch',
      { lanes: 1, groupOf: (item) => (/[a-m]/i.test(item) ? '1' : '2') },
      ['axbyc', 'abc'],
      [0, 'xy'],
    ],
    [
      'whose batch failed for what one item may have caused run alone, one after the other',
      { lanes: 2 },
      ['abc', 'abc'],
      [[0, BAD_ITEM], 'a'],
      ['de', 'de'],
      [[1, BAD_ITEM], 'b'],
      [3, 'c'],
    ],
    [
      'whose batch met a time limit run alone when they are sent again: they block one lane',
      { lanes: 3 },
      ['ab', 'ab'],
      [[0, LOCKED], ''],
      ['abcd', 'a cd'],
      ['e', 'e'],
      [2, ''],
      [1, 'b'],
    ],
    [
      'are no suspects once they have succeeded, nor where PostgreSQL has gone',
      { lanes: 1 },
      ['ab', 'ab'],
      [[0, LOCKED], ''],
      ['ab', 'a'],
      [1, 'b'],
      [2, ''],
      ['abd', 'abd'],
      [[3, GONE], ''],
      ['ab', 'ab'],
    ],
  ])('%s', async (_name, options, ...steps) => {
    const batches: string[] = [];
    const ends: ((error?: Error) => void)[] = [];
    const outcomes: Promise<string>[] = [];
    const run = async (items: string[]): Promise<string[]> => {
      batches.push(items.join(''));
      const error = await new Promise<Error | undefined>((resolve) => ends.push(resolve));
      if (error) throw error;
      return items.map((item) => `${item}!`);
    };
    const batcher = new Batcher(run, {
      lanes: 4,
      maxBatchSize: 16,
      maxWaitMs: 60_000,
      keyOf: (item) => item.toLowerCase(),
      ...options,
    });
    const expected: string[] = [];
    for (const [step, started] of steps) {
      const before = batches.length;
      if (typeof step === 'number') ends[step]!();
      else if (typeof step !== 'string') ends[step[0]]!(step[1]);
      else
        for (const item of step) {
          outcomes.push(batcher.add(item).catch((error: unknown) => `${item} ${String(error)}`));
          expected.push(item);
        }
      await immediate();
      expect([step, batches.slice(before).join(' ')]).toEqual([step, started]);
    }
    for (const end of ends) end();
    for (const [index, outcome] of (await Promise.all(outcomes)).entries())
      expect(outcome).toMatch(new RegExp(`^${expected[index]!}(!| .*(error|timeout))`, 'i'));
  });
});

test('A call that has waited too long is turned away once a lane is free, and does not run', async () => {
  const ends: (() => void)[] = [];
  const run = jest.fn(async (items: string[]) => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return items;
  });
  const options = { lanes: 1, maxBatchSize: 16, maxWaitMs: 1000, keyOf: String };
  const batcher = new Batcher(run, options);
  const first = batcher.add('a');
  await immediate();
  const late = [batcher.add('a'), batcher.add('b')].map((call) =>
    expect(call).rejects.toThrow('overloaded'),
  );
  const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1001);
  ends[0]!();
  await Promise.all([first, ...late]);
  now.mockRestore();
  expect(run.mock.calls).toEqual([[['a']]]);
});

test('What PostgreSQL did not do in time is not tried again', async () => {
  const run = jest.fn(() => Promise.reject(LOCKED));
  const options = { lanes: 1, maxBatchSize: 16, maxWaitMs: 60_000, keyOf: String };
  const batcher = new Batcher(run, options);
  const results = await Promise.allSettled(['a', 'b', 'c'].map((item) => batcher.add(item)));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(run.mock.calls).toEqual([[['a', 'b', 'c']]]);
});
