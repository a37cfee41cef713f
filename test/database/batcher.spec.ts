import { DatabaseError } from 'pg';
import { Batcher, type BatcherOptions } from '../../src/database/batcher.js';
import { toPage } from '../../src/database/page.js';

const canceled = Object.assign(new DatabaseError('canceled', 0, 'error'), { code: '57014' });

describe('The batcher', () => {
  /** A batcher whose batches end when the test says so, and the batches that were started. */
  function watched({
    maxConcurrency = 4,
    maxBatchSize = 16,
    keyOf,
    groupOf,
  }: Partial<BatcherOptions<string>> = {}) {
    const batches: string[][] = [];
    const ends: (() => void)[] = [];
    const run = async (items: string[]): Promise<string[]> => {
      batches.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map((item) => item.toUpperCase());
    };
    const options = { maxConcurrency, maxBatchSize, keyOf, groupOf };
    const batcher = new Batcher(run, options);
    const add = (items: string): Promise<string[]> =>
      Promise.all(Array.from(items, (item) => batcher.add(item)));
    const end = async (batch: number): Promise<void> => {
      ends[batch]?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { add, batches, end };
  }

  describe('Calls that wait at the same moment', () => {
    test('share a statement, while the first never waits', async () => {
      const { add, batches, end } = watched({ maxConcurrency: 1 });
      const results = add('abcd');
      expect(batches).toEqual([['a']]);
      await end(0);
      expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
      await end(1);
      expect(await results).toEqual(['A', 'B', 'C', 'D']);
    });

    test('start another batch as soon as they are as many as are running', async () => {
      const { add, batches, end } = watched();
      void add('abcd');
      expect(batches).toEqual([['a'], ['b'], ['c', 'd']]); // 1 beside 1, then 2 beside 2
      void add('efg');
      expect(batches).toHaveLength(3);
      await end(0);
      expect(batches[3]).toEqual(['e', 'f', 'g']); // 3 beside the 3 that are left
    });

    test('never run in more batches than maxConcurrency, nor in larger ones than maxBatchSize', async () => {
      const { add, batches, end } = watched({ maxConcurrency: 2, maxBatchSize: 3 });
      void add('abcdefgh');
      expect(batches).toEqual([['a'], ['b']]);
      await end(0);
      expect(batches[2]).toEqual(['c', 'd', 'e']);
      await end(1);
      await end(2);
      expect(batches[3]).toEqual(['f', 'g', 'h']);
    });

    test('are started though a batch is blocked', async () => {
      const { add, batches, end } = watched({ maxBatchSize: 3 });
      void add('abcdefg');
      await end(0);
      const results = add('x');
      const stuck = batches.length;
      while (batches.length === stuck) await new Promise((resolve) => setTimeout(resolve, 1));
      expect(batches.at(-1)).toContain('x');
      await end(batches.length - 1);
      expect(await results).toEqual(['X']);
    });

    test('never share a batch where their key is the same, and keep their order', async () => {
      const { add, batches, end } = watched({
        maxConcurrency: 1,
        keyOf: (item) => item.toLowerCase(),
      });
      void add('xaAbB');
      for (let batch = 0; batch < 3; batch++) await end(batch);
      expect(batches).toEqual([['x'], ['a', 'b'], ['A', 'B']]);
    });
  });

  test.each([
    ['did not respond', new Error('timeout')],
    ['ended the statement at its time limit', canceled],
  ])('Where PostgreSQL %s, waiting calls have no time for another try', async (_what, error) => {
    const run = jest.fn(() => Promise.reject(error));
    const batcher = new Batcher(run, { maxConcurrency: 1, maxBatchSize: 1 });
    const results = await Promise.allSettled(['a', 'b', 'c'].map((item) => batcher.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe('Pages', () => {
  test.each([
    [[{ id: 1 }, { id: 2 }], { items: [{ id: 1 }, { id: 2 }], next: null }],
    [[{ id: 1 }, { id: 2 }, { id: 3 }], { items: [{ id: 1 }, { id: 2 }], next: 2 }],
  ])('Of %j a page of two is %j', (rows, page) => {
    expect(toPage(rows, 2, ({ id }) => id)).toEqual(page);
  });
});
