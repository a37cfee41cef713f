import { WholeNumber } from './setting.decorators.js';

/** Settings of passwords, failed logins, and the secrets that sign tokens. */
export class LoginConfig {
  /** Signs tokens; 32 random bytes or more. Required in production, else made in DATA_DIR. */
  readonly JWT_SECRET: string = '';

  /** JWT_SECRET before a rotation; tokens signed with it stay valid until they expire. */
  readonly JWT_PREVIOUS_SECRET: string = '';

  /** Cost of bcrypt; older hashes are renewed at login. Below 10: only for trials on loopback. */
  @WholeNumber(4, 15)
  readonly BCRYPT_COST: number = 12;

  /** Minimum characters of a new password. */
  @WholeNumber(8, 72)
  readonly PASSWORD_MIN_LENGTH: number = 12;

  /** Words that no new password may hold, such as those of the company, with commas between them. */
  readonly PASSWORD_FORBIDDEN_WORDS: string = '';

  /** Passwords hashed at once, in threads of which all but one have low priority. 0: one per core, at least two. */
  @WholeNumber(0, 256)
  readonly HASH_THREADS: number = 0;

  /** Waiting logins per hashing thread, fewer of strangers; more get 503. */
  @WholeNumber(1, 100_000)
  readonly HASH_QUEUE_MAX: number = 5;

  /** Logins a minute that an instance takes from one address (IPv6: /64); more get 429. */
  @WholeNumber(1, 1_000_000_000)
  readonly LOGIN_REQUESTS_PER_MINUTE: number = 6000;

  /** Failed logins that lock one username at one address. */
  @WholeNumber(1, 1_000_000)
  readonly LOGIN_MAX_FAILURES: number = 5;

  /** Failed logins from all addresses that lock one username, except at known addresses. */
  @WholeNumber(2, 1_000_000)
  readonly LOGIN_USERNAME_MAX_FAILURES: number = 50;

  /** Failed logins under all usernames that lock an address (IPv6: /64) for users unknown there. */
  @WholeNumber(2, 1_000_000)
  readonly LOGIN_ADDRESS_MAX_FAILURES: number = 100;

  /** Seconds within which failed logins are counted, from the first one. */
  @WholeNumber(1, 31_536_000)
  readonly LOGIN_WINDOW_SECONDS: number = 900;

  /** Seconds that a lock after failed logins lasts. */
  @WholeNumber(1, 31_536_000)
  readonly LOGIN_LOCK_SECONDS: number = 900;

  /** Days that an address stays known to a user after a login. */
  @WholeNumber(1, 3650)
  readonly LOGIN_KNOWN_ADDRESS_DAYS: number = 30;
}
