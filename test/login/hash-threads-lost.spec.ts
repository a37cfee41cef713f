import { HashThreads } from '../../src/users/hash-threads.js';

jest.mock('../../src/users/hash-thread.js', () => ({
  hashThread: () => {
    const { parentPort } = process.getBuiltinModule('node:worker_threads');
    parentPort!.on('message', ({ password }: { password: string }) => {
      if (password === 'die') process.exit(1);
      else parentPort!.postMessage({ equal: true, hash: password });
    });
  },
}));

test('a hashing thread that dies takes its job along, and the next job gets another', async () => {
  const threads = new HashThreads({ threads: 1, waiting: 10 });
  const before = threads.run({ password: 'before', costs: [] });
  const fatal = threads.run({ password: 'die', costs: [] });
  const after = threads.run({ password: 'after', costs: [] });
  await expect(fatal).rejects.toThrow('a hashing thread ended');
  expect([await before, await after].map(({ hash }) => hash)).toEqual(['before', 'after']);
  await threads.close();
});
