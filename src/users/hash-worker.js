import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import bcrypt from 'bcrypt';

// This is JavaScript because a hashing thread loads it without the build or Jest.

// Uploads go before logins. One thread keeps its priority, so that logins go on beside busy
// neighbours. On Linux this sets the priority of the thread, elsewhere that of the process.
if (process.platform === 'linux' && Atomics.add(workerData.started, 0, 1) > 0) setPriority(0, 5);

/** Says whether a task waited beyond its `startBy`, so that it is not done any more. */
const isLate = (startBy) => performance.timeOrigin + performance.now() > startBy;

/** @param {{ password: string, cost: number, startBy: number }} task */
export const hash = ({ password, cost, startBy }) =>
  isLate(startBy) ? undefined : bcrypt.hashSync(password, cost);

/** @param {{ password: string, passwordHash: string, startBy: number }} task */
export const compare = ({ password, passwordHash, startBy }) =>
  isLate(startBy) ? undefined : bcrypt.compareSync(password, passwordHash);

/**
 * Hashes the next password if the password is right, and returns null if it is wrong.
 * @param {{ password: string, passwordHash: string, next: string, cost: number, startBy: number }} task
 */
export const replace = ({ password, passwordHash, next, cost, startBy }) => {
  if (isLate(startBy)) return undefined;
  return bcrypt.compareSync(password, passwordHash) ? bcrypt.hashSync(next, cost) : null;
};
