import bcrypt from 'bcrypt';

/**
 * Executes a `HashJob`. JavaScript, because a thread loads its file without the build or Jest.
 *
 * @param {import('./hash-threads.js').HashJob} job
 * @returns {import('./hash-threads.js').HashResult}
 */
export default function run({ password, compareWith, costs }) {
  const start = performance.now();
  const equal = compareWith !== undefined && bcrypt.compareSync(password, compareWith);
  let hash = '';
  for (const cost of costs) hash = bcrypt.hashSync(password, cost);
  return { equal, hash, seconds: (performance.now() - start) / 1000 };
}
