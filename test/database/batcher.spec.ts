import { Batcher } from '../../src/database/batcher.js';

/** A coalescer whose batches end when the test says so, and the batches that set off. */
function watched({
  lanes = 4,
  size = 16,
  keyOf,
}: { lanes?: number; size?: number; keyOf?: (item: string) => string } = {}) {
  const batches: string[][] = [];
  const ends: (() => void)[] = [];
  const run = async (items: string[]): Promise<string[]> => {
    batches.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => item.toUpperCase());
  };
  const coalescer = new Batcher(run, { lanes, size }, keyOf);
  const add = (items: string): Promise<string[]> => Promise.all(Array.from(items, (item) => coalescer.add(item)));
  const end = async (batch: number): Promise<void> => {
    ends[batch]?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, batches, end };
}

describe('Items that wait at the same moment', () => {
  test('share a statement, while the first one never waits', async () => {
    const { add, batches, end } = watched({ lanes: 1 });
    const results = add('abcd');
    expect(batches).toEqual([['a']]);
    await end(0);
    expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
    await end(1);
    expect(await results).toEqual(['A', 'B', 'C', 'D']);
  });

  test('set off beside a batch under way as soon as they are as many', async () => {
    const { add, batches, end } = watched();
    void add('abcd');
    expect(batches).toEqual([['a'], ['b'], ['c', 'd']]); // 1 beside 1, then 2 beside 2
    void add('efg');
    expect(batches).toHaveLength(3);
    await end(0);
    expect(batches[3]).toEqual(['e', 'f', 'g']); // 3 beside the 3 that are left
  });

  test('are never more batches than there are lanes, nor more in one than its size', async () => {
    const { add, batches, end } = watched({ lanes: 2, size: 3 });
    void add('abcdefgh');
    expect(batches).toEqual([['a'], ['b']]);
    await end(0);
    expect(batches[2]).toEqual(['c', 'd', 'e']);
    await end(1);
    await end(2);
    expect(batches[3]).toEqual(['f', 'g', 'h']);
  });

  test('do not wait for ever behind a batch that is stuck', async () => {
    const { add, batches, end } = watched({ size: 3 });
    void add('abcdefg');
    await end(0);
    const results = add('x');
    const stuck = batches.length;
    while (batches.length === stuck) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(batches.at(-1)).toContain('x');
    await end(batches.length - 1);
    expect(await results).toEqual(['X']);
  });

  test('of one key go one after the other, in their order', async () => {
    const { add, batches, end } = watched({ lanes: 1, keyOf: (item) => item.toLowerCase() });
    void add('xaAbB');
    for (let batch = 0; batch < 3; batch++) await end(batch);
    expect(batches).toEqual([['x'], ['a', 'b'], ['A', 'B']]);
  });
});
