import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { normalizeIp, type ThrottlerStorage } from '@nestjs/throttler';
import { InjectRepository } from '@nestjs/typeorm';
import { Counter } from 'prom-client';
import { In, Like, MoreThan, Or, type Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { LoginConfig } from '../../config/login.config.js';
import { Database } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { isName } from '../../http/validation/fields.decorator.js';
import { KnownAddress, LoginCounter } from './login-counter.entity.js';
import { TooManyFailures } from './login.errors.js';
import { COUNT_FAILURE, FIND_LOGIN, SUCCEED } from './login.statements.js';

/** One request to log in, and what the database knows of its username and its address. */
export interface LoginAttempt {
  /** Null if nobody has this username. */
  readonly userId: number | null;
  readonly passwordHash: string | null;
  readonly passwordVersion: number | null;
  readonly disabled: boolean;
  /** `user:17`, or a keyed hash of a name that nobody has. */
  readonly accountKey: string;
  /** The counter of this user at this address, `user:17 at 192.0.2.1`. */
  readonly pairKey: string;
  /** Whether the user logged in from this address before. */
  readonly isKnown: boolean;
  /** Seconds until the last lock on the attempt ends; null if there is none. */
  readonly lockedSeconds: number | null;
  readonly clientAddress: string;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
}

/** Failures are limited for a user at an address, for a user anywhere, and for an address. */
type Limit = 'pair' | 'username' | 'address';

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
for (const limit of ['pair', 'username', 'address']) locks.inc({ of: limit }, 0);

/** Counts failed logins in PostgreSQL, where instances share them, and locks after too many. */
@Injectable()
export class LoginFailuresService implements ThrottlerStorage {
  constructor(
    @InjectRepository(LoginCounter) private readonly counters: Repository<LoginCounter>,
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly config: LoginConfig,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add({ table: 'login_counters', key: 'key', where: 'ends_at < now()' });
    housekeeping.add({
      table: 'known_addresses',
      key: 'user_id, network',
      where: 'last_login_at < now() - make_interval(days => $1)',
      values: [config.LOGIN_KNOWN_ADDRESS_DAYS],
    });
  }

  /** Reads what is known of an attempt before its password is compared. */
  async findAttempt(username: string, clientAddress: string): Promise<LoginAttempt> {
    const network = normalizeIp(clientAddress);
    const [found] = await this.database.run<LoginAttempt>(FIND_LOGIN, [
      isName(username) ? username : '',
      unknownKey(username, this.config.JWT_SECRET),
      network,
      this.config.LOGIN_KNOWN_ADDRESS_DAYS,
    ]);
    return { ...found!, clientAddress, network };
  }

  /** Counts an attempt of a pair before its password is compared; one over the limit locks. */
  async increment(key: string, ttl: number, limit: number) {
    const { failures: totalHits, locked: isBlocked } = await this.count(key, limit);
    const timeToBlockExpire = this.config.LOGIN_LOCK_SECONDS;
    return { totalHits, isBlocked, timeToBlockExpire, timeToExpire: ttl / 1000 };
  }

  /** Takes back the count of an attempt whose password was right, or was not compared. */
  async takeBack({ pairKey: key }: LoginAttempt): Promise<void> {
    const counted = { key, locked: false, failures: MoreThan(0) };
    await this.counters.decrement(counted, 'failures', 1);
  }

  /** Counts a wrong password for the user and for the address; the pair was counted before. */
  async countWrong(attempt: LoginAttempt): Promise<void> {
    const { LOGIN_USERNAME_MAX_FAILURES, LOGIN_ADDRESS_MAX_FAILURES } = this.config;
    await Promise.all([
      this.countLimited('username', attempt.accountKey, LOGIN_USERNAME_MAX_FAILURES, attempt),
      this.countLimited('address', attempt.network, LOGIN_ADDRESS_MAX_FAILURES, attempt),
    ]);
  }

  /** Clears the counter of the pair, and remembers the address. */
  async succeed({ userId, network, pairKey }: LoginAttempt): Promise<void> {
    await this.database.run(SUCCEED, [pairKey, userId, network]);
  }

  /** Removes the locks of a user, those of the addresses that are known for it as well. */
  async unlock(userId: number, manager = this.counters.manager): Promise<void> {
    const known = await manager.findBy(KnownAddress, { userId });
    const networks = known.map(({ network }) => network);
    const keys = Or(In([`user:${userId}`, ...networks]), Like(`user:${userId} at %`));
    await manager.delete(LoginCounter, { key: keys });
  }

  async forgetAddresses(userId: number, manager = this.counters.manager): Promise<void> {
    await manager.delete(KnownAddress, { userId });
  }

  /** Counts an attempt under a lock in the metrics alone, as a flood must not fill the disk. */
  locked(seconds: number): Error {
    logins.inc({ outcome: 'locked' });
    return new TooManyFailures(seconds);
  }

  /** Records the lock that an attempt has caused. */
  async recordLock(limit: Limit, key: string, failures: number, attempt: LoginAttempt) {
    locks.inc({ of: limit });
    const { accountKey: actor, clientAddress } = attempt;
    const details = { failures, seconds: this.config.LOGIN_LOCK_SECONDS };
    const event = { actor, action: 'login lock', subject: key, clientAddress, details };
    await this.audit.record({ ...event, outcome: 'locked' });
  }

  /** Counts a failure; the one that reaches `max` causes a lock. */
  private async countLimited(limit: Limit, key: string, max: number, attempt: LoginAttempt) {
    const { failures } = await this.count(key, max - 1);
    if (failures === max) await this.recordLock(limit, key, max, attempt);
  }

  /** Counts a failure; `failures` is `allowed + 1` for the one that locks, Infinity if locked. */
  private async count(key: string, allowed: number) {
    const { LOGIN_WINDOW_SECONDS, LOGIN_LOCK_SECONDS } = this.config;
    const values = [key, allowed, LOGIN_WINDOW_SECONDS, LOGIN_LOCK_SECONDS];
    const [counted] = await this.database.run<LoginCounter>(COUNT_FAILURE, values);
    return counted ?? { failures: Infinity, locked: true };
  }
}

/** Hashes a name that nobody has, as it may be a password; the key protects it against guessing. */
function unknownKey(username: string, secret: string): string {
  const hash = createHmac('sha256', secret).update(`login name\0${username}`).digest('base64url');
  return `name:${hash.slice(0, 22)}`;
}
