import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import { Counter } from 'prom-client';
import { AuditService } from '../../audit/audit.service.js';
import { LoginConfig } from '../../config/login.config.js';
import { Housekeeping } from '../../database/housekeeping.js';
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
}

const LIMITS = ['pair', 'username', 'address'] as const;
/** Failures are limited for a user at an address, for a user at all addresses, and for an address. */
type Limit = (typeof LIMITS)[number];

const locks = new Counter({
  name: 'login_locks_total',
  help: 'Locks after failed logins',
  labelNames: ['of'],
});
for (const of of LIMITS) locks.inc({ of }, 0); // so that the first of each shows as a rise

/** Counts failed logins, and rejects attempts under a lock: 429. */
@Injectable()
export class LoginFailuresService {
  constructor(
    private readonly failures: LoginFailuresRepository,
    private readonly audit: AuditService,
    private readonly config: LoginConfig,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(EXPIRED_COUNTERS);
    housekeeping.add({ ...OLD_ADDRESSES, values: [config.LOGIN_KNOWN_ADDRESS_DAYS] });
  }

  async find(username: string, clientAddress: string): Promise<LoginAttempt> {
    const network = normalizeIp(clientAddress);
    const { JWT_SECRET, LOGIN_KNOWN_ADDRESS_DAYS } = this.config;
    const found = await this.failures.find(
      isStorable(username) ? username : '',
      unknownKey(username, JWT_SECRET),
      network,
      LOGIN_KNOWN_ADDRESS_DAYS,
    );
    return { ...found, clientAddress, network };
  }

  /** Counts the attempt as a failure of the pair, before its password is compared. */
  async begin(attempt: LoginAttempt): Promise<void> {
    if (attempt.lockedSeconds !== null) throw new TooManyFailures(attempt.lockedSeconds);
    const locked = await this.count('pair', attempt, this.config.LOGIN_MAX_FAILURES);
    if (locked !== false) throw new TooManyFailures(this.config.LOGIN_LOCK_SECONDS);
  }

  /** The password was not compared, or it was right. */
  async takeBack(attempt: LoginAttempt): Promise<void> {
    await this.failures.takeBack(keyOf('pair', attempt));
  }

  /**
   * Counts a wrong password for the user and the address, whose locks begin with the last failure that they allow.
   * Under a lock that others have caused meanwhile, the attempt does not learn that its password was wrong.
   */
  async countWrong(attempt: LoginAttempt): Promise<void> {
    const { LOGIN_USERNAME_MAX_FAILURES, LOGIN_ADDRESS_MAX_FAILURES } = this.config;
    const [ofUser, ofAddress] = await Promise.all([
      this.count('username', attempt, LOGIN_USERNAME_MAX_FAILURES - 1),
      this.count('address', attempt, LOGIN_ADDRESS_MAX_FAILURES - 1),
    ]);
    const wasLocked = (ofUser === undefined && !attempt.isKnown) || ofAddress === undefined;
    if (wasLocked) throw new TooManyFailures(this.config.LOGIN_LOCK_SECONDS);
  }

  /** Clears the counter of the pair and remembers the address, unless failures elsewhere have caused a lock meanwhile. */
  async succeed(attempt: LoginAttempt): Promise<void> {
    const locks = attempt.isKnown ? [attempt.network] : [attempt.network, attempt.accountKey];
    const { userId, network } = attempt;
    const seconds = await this.failures.succeed(keyOf('pair', attempt), locks, userId!, network);
    if (seconds !== null) throw new TooManyFailures(seconds);
  }

  async unlock(userId: number): Promise<void> {
    await this.failures.unlock(`user:${userId}`, userId);
  }

  async forgetAddresses(userId: number): Promise<void> {
    await this.failures.forgetAddresses(userId);
  }

  /** Says whether this failure caused a lock, which is recorded; undefined if there was one before. */
  private async count(limit: Limit, attempt: LoginAttempt, max: number) {
    const { LOGIN_WINDOW_SECONDS: window, LOGIN_LOCK_SECONDS: seconds } = this.config;
    const locked = await this.failures.count(keyOf(limit, attempt), max, window, seconds);
    if (!locked) return locked;
    locks.inc({ of: limit });
    const { accountKey: actor, clientAddress, network } = attempt;
    const place = limit === 'pair' ? network : 'addresses it is not known at';
    await this.audit.record({
      actor,
      action: 'login lock',
      subject: limit === 'address' ? network : `${actor} at ${place}`,
      clientAddress,
      outcome: 'locked',
      details: { failures: limit === 'pair' ? max : max + 1, seconds },
    });
    return locked;
  }
}

function keyOf(limit: Limit, { accountKey, network }: LoginAttempt): string {
  return { pair: `${accountKey} ${network}`, username: accountKey, address: network }[limit];
}

/** A name that nobody has may be a password: hashed, and keyed against guessing. */
function unknownKey(username: string, secret: string): string {
  const hash = createHmac('sha256', secret).update(`login name\0${username}`).digest('base64url');
  return `name:${hash.slice(0, 22)}`;
}

/** PostgreSQL's text holds no NUL and no lone surrogate. */
function isStorable(username: string): boolean {
  return /^[^\0\p{Cs}]{1,200}$/u.test(username);
}
