import { createHmac } from 'node:crypto';
import type { Account } from '../../users/credentials.service.js';

/**
 * A name for whoever logs in that may be written down: `user:17`, or `name:` and a hash where there is no such user, as
 * people type passwords into the wrong field. The hash is keyed, so that nobody finds them out by trying.
 */
export function accountKey(account: Account | undefined, username: string, secret: string): string {
  const hash = createHmac('sha256', secret).update(`login subject\0${username}`).digest('base64url').slice(0, 22);
  return account ? userAccountKey(account.id) : `name:${hash}`;
}

export function userAccountKey(id: number): string {
  return `user:${id}`;
}
