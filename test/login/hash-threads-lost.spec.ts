import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HashThreads } from '../../src/users/hash-threads.js';

const WORKER = `export default ({ password }) => {
  if (password === 'die') process.exit(1);
  return { equal: true, hash: password, seconds: 0 };
};`;

test('a hashing thread that dies takes its job along, and the next job gets another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sales-upload-hash-'));
  const file = join(folder, 'worker.mjs');
  writeFileSync(file, WORKER);
  const threads = new HashThreads({ threads: 1, waiting: 10, seconds: 4 }, file);
  const before = threads.run({ password: 'before', costs: [] });
  const fatal = threads.run({ password: 'die', costs: [] });
  const after = threads.run({ password: 'after', costs: [] });
  await expect(fatal).rejects.toThrow(/exit/);
  expect([await before, await after].map(({ hash }) => hash)).toEqual(['before', 'after']);
  await threads.close();
  rmSync(folder, { recursive: true });
});
