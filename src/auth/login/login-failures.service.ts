import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { normalizeIp, type ThrottlerStorage } from '@nestjs/throttler';
import { Counter } from 'prom-client';
import { AuditService } from '../../audit/audit.service.js';
import { LoginConfig } from '../../config/login.config.js';
import { Database } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import {
  COUNT_FAILURE,
  EXPIRED_COUNTERS,
  FIND_LOGIN,
  FORGET_ADDRESSES,
  OLD_ADDRESSES,
  SUCCEED,
  TAKE_BACK_FAILURE,
  UNLOCK,
} from './login-failures.statements.js';
import { TooManyFailures } from './login.errors.js';

/** What the database knows of a username and an address. */
interface FoundLogin {
  /** Null if nobody has this username. */
  readonly userId: number | null;
  readonly passwordHash: string | null;
  readonly passwordVersion: number | null;
  readonly disabled: boolean;
  /** `user:17`, or a keyed hash of a name that nobody has. */
  readonly accountKey: string;
  /** Whether the user logged in from this address before. */
  readonly isKnown: boolean;
  /** Seconds until the last lock on the attempt ends; null if there is none. */
  readonly lockedSeconds: number | null;
}

/** One request to log in. */
export interface LoginAttempt extends FoundLogin {
  readonly clientAddress: string;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
  /** The counter of this user at this address. */
  readonly pairKey: string;
}

const LIMITS = ['pair', 'username', 'address'] as const;
/** Failures are limited for a user at an address, for a user anywhere, and for an address. */
type Limit = (typeof LIMITS)[number];

export const loginOutcomes = new Counter({
  name: 'logins_total',
  help: 'Logins by their outcome',
  labelNames: ['outcome'],
});
const locks = new Counter({
  name: 'login_locks_total',
  help: 'Locks after failed logins',
  labelNames: ['of'],
});
// Counters begin at 0, so that the first of each kind shows as a rise.
for (const outcome of ['success', 'failure', 'locked', 'disabled'])
  loginOutcomes.inc({ outcome }, 0);
for (const of of LIMITS) locks.inc({ of }, 0);

/** Counts failed logins in PostgreSQL, where instances share them, and locks after too many. */
@Injectable()
export class LoginFailuresService implements ThrottlerStorage {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly config: LoginConfig,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(EXPIRED_COUNTERS);
    housekeeping.add({ ...OLD_ADDRESSES, values: [config.LOGIN_KNOWN_ADDRESS_DAYS] });
  }

  /** Reads what is known of an attempt before its password is compared. */
  async findAttempt(username: string, clientAddress: string): Promise<LoginAttempt> {
    const { JWT_SECRET, LOGIN_KNOWN_ADDRESS_DAYS } = this.config;
    const network = normalizeIp(clientAddress);
    const [found] = await this.database.run<FoundLogin>(FIND_LOGIN, [
      isStorable(username) ? username : '',
      unknownKey(username, JWT_SECRET),
      network,
      LOGIN_KNOWN_ADDRESS_DAYS,
    ]);
    const pairKey = `${found!.accountKey} ${network}`;
    return { ...found!, clientAddress, network, pairKey };
  }

  /** Counts an attempt of a pair before its password is compared; one over the limit locks. */
  async increment(key: string, _ttl: number, limit: number) {
    const { failures, locked } = await this.count(key, limit);
    const { LOGIN_WINDOW_SECONDS: timeToExpire, LOGIN_LOCK_SECONDS: timeToBlockExpire } =
      this.config;
    return { totalHits: failures, isBlocked: locked, timeToExpire, timeToBlockExpire };
  }

  /** Takes an attempt back that was not compared, or whose password was right. */
  async takeBack({ pairKey }: LoginAttempt): Promise<void> {
    await this.database.run(TAKE_BACK_FAILURE, [pairKey]);
  }

  /**
   * Counts a wrong password for the user and for the address; the pair was counted before.
   * Under a lock that others have caused meanwhile, the attempt does not learn that it was wrong.
   */
  async countWrong(attempt: LoginAttempt): Promise<void> {
    const { LOGIN_USERNAME_MAX_FAILURES, LOGIN_ADDRESS_MAX_FAILURES } = this.config;
    const [isUserLocked, isAddressLocked] = await Promise.all([
      this.countLimited('username', attempt.accountKey, LOGIN_USERNAME_MAX_FAILURES, attempt),
      this.countLimited('address', attempt.network, LOGIN_ADDRESS_MAX_FAILURES, attempt),
    ]);
    if ((isUserLocked && !attempt.isKnown) || isAddressLocked)
      throw this.locked(this.config.LOGIN_LOCK_SECONDS);
  }

  /** Clears the pair's counter and remembers the address, unless failures elsewhere locked. */
  async succeed({ userId, accountKey, isKnown, network, pairKey }: LoginAttempt): Promise<void> {
    const locks = isKnown ? [network] : [network, accountKey];
    const values = [pairKey, locks, userId, network];
    const [row] = await this.database.run<{ seconds: number | null }>(SUCCEED, values);
    if (row!.seconds !== null) throw this.locked(row!.seconds);
  }

  async unlock(userId: number): Promise<void> {
    await this.database.run(UNLOCK, [`user:${userId}`, userId]);
  }

  async forgetAddresses(userId: number): Promise<void> {
    await this.database.run(FORGET_ADDRESSES, [userId]);
  }

  /** An attempt under a lock is only counted in the metrics: a flood must not fill the disk. */
  locked(seconds: number): Error {
    loginOutcomes.inc({ outcome: 'locked' });
    return new TooManyFailures(seconds);
  }

  /** Records the lock that an attempt has caused. */
  async recordLock(limit: Limit, attempt: LoginAttempt, failures: number): Promise<void> {
    locks.inc({ of: limit });
    const { accountKey: actor, clientAddress, network } = attempt;
    const place = limit === 'pair' ? network : 'addresses it is not known at';
    await this.audit.record({
      actor,
      action: 'login lock',
      subject: limit === 'address' ? network : `${actor} at ${place}`,
      clientAddress,
      outcome: 'locked',
      details: { failures, seconds: this.config.LOGIN_LOCK_SECONDS },
    });
  }

  /** Returns whether there was a lock before; the last failure that is allowed causes one. */
  private async countLimited(limit: Limit, key: string, max: number, attempt: LoginAttempt) {
    const { failures, locked } = await this.count(key, max - 1);
    if (failures === max) await this.recordLock(limit, attempt, max);
    return locked && failures !== max;
  }

  /** Counts a failure; `failures` is `allowed + 1` for the one that locks, Infinity if locked. */
  private async count(key: string, allowed: number) {
    const { LOGIN_WINDOW_SECONDS, LOGIN_LOCK_SECONDS } = this.config;
    const values = [key, allowed, LOGIN_WINDOW_SECONDS, LOGIN_LOCK_SECONDS];
    type Counted = { failures: number; locked: boolean };
    const [counted] = await this.database.run<Counted>(COUNT_FAILURE, values);
    return counted ?? { failures: Infinity, locked: true };
  }
}

/** Hashes a name that nobody has, as it may be a password; the key protects it against guessing. */
function unknownKey(username: string, secret: string): string {
  const hash = createHmac('sha256', secret).update(`login name\0${username}`).digest('base64url');
  return `name:${hash.slice(0, 22)}`;
}

/** Says whether PostgreSQL's text can hold a name: not with NUL or a lone surrogate. */
function isStorable(username: string): boolean {
  return /^[^\0\p{Cs}]{1,200}$/u.test(username);
}
