import bcrypt from 'bcrypt';

/*
 * The tasks of the hashing threads. This is JavaScript because a thread loads it without the build or Jest.
 */

/** @param {{ password: string, cost: number }} task */
export function hash({ password, cost }) {
  return bcrypt.hashSync(password, cost);
}

/** @param {{ password: string, passwordHash: string }} task */
export function compare({ password, passwordHash }) {
  return bcrypt.compareSync(password, passwordHash);
}
