import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { compare } from 'bcrypt';
import { HashThreads } from '../../src/users/hash-threads.js';

const COST = 8;
const job = { password: 'right', costs: [COST] };

describe('The hashing threads', () => {
  let threads: HashThreads;
  beforeEach(async () => {
    threads = new HashThreads({ threads: 1, waiting: 3, seconds: 4 });
    await threads.run({ password: 'x', costs: [4] }); // the thread has started
  });
  afterEach(() => threads.close());

  test('hash and compare', async () => {
    const { hash } = await threads.run(job);
    expect(await compare('right', hash)).toBe(true);
    expect((await threads.run({ password: 'right', compareWith: hash, costs: [] })).equal).toBe(true);
    expect((await threads.run({ password: 'wrong', compareWith: hash, costs: [] })).equal).toBe(false);
  });

  test('leave the event loop to others', async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    await threads.run({ password: 'x', costs: [10, 10, 10, 10] });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });

  test('do what is urgent first, in order', async () => {
    const done: string[] = [];
    const note = (name: string) => () => done.push(name);
    const first = threads.run(job).then(note('under way'));
    const others = ['a', 'b'].map((name) => threads.run(job).then(note(name)));
    const urgent = ['urgent a', 'urgent b'].map((name) => threads.run(job, true).then(note(name)));
    await Promise.all([first, ...others, ...urgent]);
    expect(done).toEqual(['under way', 'urgent a', 'urgent b', 'a', 'b']);
  });

  test('refuse beyond the bound, for each queue its own: 503 and when to come again', async () => {
    const accepted = Array.from({ length: 4 }, () => threads.run(job)); // one under way, three waiting
    const refusal = {
      status: 503,
      code: 'too_many_logins',
      headers: { 'Retry-After': expect.stringMatching(/^[1-4]$/) },
    };
    await expect(threads.run(job)).rejects.toMatchObject(refusal);
    const urgent = Array.from({ length: 3 }, () => threads.run(job, true));
    await expect(threads.run(job, true)).rejects.toMatchObject({ status: 503 });
    expect(await Promise.all([...accepted, ...urgent])).toHaveLength(7);
    await threads.run(job);
  });

  test('a job that cannot be done harms no other', async () => {
    const broken = threads.run({ password: 'x', compareWith: 5 as never, costs: [] });
    const next = threads.run(job);
    await expect(broken).rejects.toThrow('hash must be a string');
    expect((await next).hash).toMatch(/^\$2b\$08\$/);
  });

  test('closing while they still load does not abort the process', () => {
    const program = `
      const { HashThreads } = await import(${JSON.stringify(join(__dirname, '../../dist/src/users/hash-threads.js'))});
      for (let round = 0; round < 60; round += 1) {
        const threads = new HashThreads({ threads: 2, waiting: 3, seconds: 4 });
        threads.run({ password: 'x', costs: [4] }).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 26 + (round % 8)));
        await threads.close();
      }`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
    expect([String(stderr), status]).toEqual(['', 0]);
  });

  test('closing rejects what waits', async () => {
    const jobs = Promise.allSettled([threads.run(job), threads.run(job)]);
    await threads.close();
    expect((await jobs).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
