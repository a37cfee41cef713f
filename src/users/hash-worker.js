import bcrypt from 'bcrypt';

// This is JavaScript because a hashing thread loads it without the build or Jest.

/** @param {{ password: string, cost: number }} task */
export const hash = ({ password, cost }) => bcrypt.hashSync(password, cost);

/** @param {{ password: string, passwordHash: string }} task */
export const compare = ({ password, passwordHash }) => bcrypt.compareSync(password, passwordHash);
