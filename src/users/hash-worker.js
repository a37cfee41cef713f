import { getPriority, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import bcrypt from 'bcrypt';

// This is JavaScript because a hashing thread loads it without the build or Jest.

// Uploads go before logins. One thread keeps its priority, so that logins go on beside busy
// neighbours. On Linux this sets the priority of the thread, elsewhere that of the process.
if (process.platform === 'linux' && Atomics.add(workerData.started, 0, 1) > 0)
  setPriority(0, Math.min(getPriority() + 5, 19));

/**
 * Compares a password with its hash, and hashes the next one if that was right; either may be left
 * out. Returns null if the password is wrong, and undefined if the task waited beyond `startBy`.
 * @param {{ password?: string, passwordHash?: string, next?: string, cost: number, startBy?: number }} task
 */
export default ({ password, passwordHash, next, cost, startBy = Infinity }) => {
  if (performance.timeOrigin + performance.now() > startBy) return undefined;
  if (passwordHash !== undefined && !bcrypt.compareSync(password, passwordHash)) return null;
  return next === undefined ? '' : bcrypt.hashSync(next, cost);
};
