import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import { Counter } from 'prom-client';
import { AuditService } from '../../audit/audit.service.js';
import { LoginConfig } from '../../config/login.config.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { PasswordsService } from '../../users/passwords.service.js';
import {
  EXPIRED_COUNTERS,
  LoginFailuresRepository,
  OLD_ADDRESSES,
  type FoundLogin,
} from './login-failures.repository.js';
import { TooManyFailures } from './login.errors.js';

/** One request to log in. */
export interface LoginAttempt extends FoundLogin {
  readonly clientAddress: string;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
  /** What becomes of an identical attempt in progress, if there is one. */
  readonly shared: Promise<void> | undefined;
  /** Tells identical attempts what became of this one. */
  readonly settle: (error?: Error) => void;
}

const LIMITS = ['pair', 'username', 'address'] as const;
/** Failures are limited for a user at an address, for a user at all addresses, and for an address. */
type Limit = (typeof LIMITS)[number];

export const logins = new Counter({
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
for (const outcome of ['success', 'failure', 'locked', 'disabled']) logins.inc({ outcome }, 0);
for (const of of LIMITS) locks.inc({ of }, 0);

/** Begins login attempts, counts those that fail, and rejects those under a lock. */
@Injectable()
export class LoginFailuresService {
  /** Outcomes of the attempts in progress, by user, address and password. */
  private readonly inProgress = new Map<string, Promise<void>>();

  constructor(
    private readonly failures: LoginFailuresRepository,
    private readonly passwords: PasswordsService,
    private readonly audit: AuditService,
    private readonly config: LoginConfig,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(EXPIRED_COUNTERS);
    housekeeping.add({ ...OLD_ADDRESSES, values: [config.LOGIN_KNOWN_ADDRESS_DAYS] });
  }

  /** Begins an attempt; identical ones at the same moment share one outcome and count as one. */
  async begin(username: string, password: string, clientAddress: string): Promise<LoginAttempt> {
    const network = normalizeIp(clientAddress);
    const { JWT_SECRET, LOGIN_KNOWN_ADDRESS_DAYS } = this.config;
    const found = await this.failures.find(
      isStorable(username) ? username : '',
      unknownKey(username, JWT_SECRET),
      network,
      LOGIN_KNOWN_ADDRESS_DAYS,
    );
    const key = JSON.stringify([found.accountKey, network, found.passwordHash, password]);
    const shared = this.inProgress.get(key);
    if (!shared) this.passwords.assertCapacity(found.isKnown);
    const settle = shared ? () => undefined : this.start(key);
    return { ...found, clientAddress, network, shared, settle };
  }

  /** Takes a failure back because the password was not compared, or was right. */
  async takeBack(attempt: LoginAttempt): Promise<void> {
    await this.failures.takeBack(pairKey(attempt));
  }

  /**
   * Counts a wrong password for the user and for the address; the pair was counted before the comparison.
   * Under a lock that others have caused meanwhile, the attempt does not learn that its password was wrong.
   */
  async countWrong(attempt: LoginAttempt): Promise<void> {
    const { LOGIN_USERNAME_MAX_FAILURES, LOGIN_ADDRESS_MAX_FAILURES } = this.config;
    const [isUserOpen, isAddressOpen] = await Promise.all([
      this.count('username', attempt.accountKey, attempt, LOGIN_USERNAME_MAX_FAILURES),
      this.count('address', attempt.network, attempt, LOGIN_ADDRESS_MAX_FAILURES),
    ]);
    const isOpen = (isUserOpen || attempt.isKnown) && isAddressOpen;
    if (!isOpen) throw this.locked(this.config.LOGIN_LOCK_SECONDS);
  }

  /** Clears the counter of the pair and remembers the address, unless failures elsewhere have caused a lock meanwhile. */
  async succeed(attempt: LoginAttempt): Promise<void> {
    const locks = attempt.isKnown ? [attempt.network] : [attempt.network, attempt.accountKey];
    const { userId, network } = attempt;
    const seconds = await this.failures.succeed(pairKey(attempt), locks, userId!, network);
    if (seconds !== null) throw this.locked(seconds);
  }

  async unlock(userId: number): Promise<void> {
    await this.failures.unlock(`user:${userId}`, userId);
  }

  async forgetAddresses(userId: number): Promise<void> {
    await this.failures.forgetAddresses(userId);
  }

  /** An attempt under a lock is only counted in the metrics: a flood must not fill the disk. */
  locked(seconds: number): Error {
    logins.inc({ outcome: 'locked' });
    return new TooManyFailures(seconds);
  }

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

  /** Returns false if there was a lock already; the last failure that is allowed causes one. */
  private async count(limit: Limit, key: string, attempt: LoginAttempt, max: number) {
    const { ttl, blockDuration } = millisecondsOf(this.config);
    const { isBlocked, totalHits } = await this.failures.increment(
      key,
      ttl,
      max - 1,
      blockDuration,
    );
    if (isBlocked && totalHits === max) await this.recordLock(limit, attempt, max);
    return !isBlocked || totalHits === max;
  }

  private start(key: string): LoginAttempt['settle'] {
    let settle!: LoginAttempt['settle'];
    const outcome = new Promise<void>((resolve, reject) => {
      settle = (error) => {
        this.inProgress.delete(key);
        if (error === undefined) resolve();
        else reject(error);
      };
    });
    outcome.catch(() => undefined); // an outcome that no attempt shares must not count as unhandled
    this.inProgress.set(key, outcome);
    return settle;
  }
}

/** Returns the durations of the window and of the lock, as @nestjs/throttler names them. */
export function millisecondsOf({ LOGIN_WINDOW_SECONDS, LOGIN_LOCK_SECONDS }: LoginConfig) {
  return { ttl: LOGIN_WINDOW_SECONDS * 1000, blockDuration: LOGIN_LOCK_SECONDS * 1000 };
}

/** The key of what is counted for a user at an address. */
export function pairKey({ accountKey, network }: LoginAttempt): string {
  return `${accountKey} ${network}`;
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
