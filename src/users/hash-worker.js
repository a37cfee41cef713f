import bcrypt from 'bcrypt';

// The tasks of the hashing threads are JavaScript because a thread loads them without build or Jest.

/** @param {{ password: string, cost: number }} task */
export const hash = ({ password, cost }) => bcrypt.hashSync(password, cost);

/** @param {{ password: string, passwordHash: string }} task */
export const compare = ({ password, passwordHash }) => bcrypt.compareSync(password, passwordHash);
