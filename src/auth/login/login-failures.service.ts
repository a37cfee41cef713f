import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import { InjectRepository } from '@nestjs/typeorm';
import { Counter } from 'prom-client';
import { type EntityManager, In, Like, MoreThan, Or, Raw, type Repository } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { LoginConfig } from '../../config/login.config.js';
import { PeopleConfig } from '../../config/people.config.js';
import { Database } from '../../database/database.js';
import type { Acquaintance } from '../../users/passwords.service.js';
import type { User } from '../../users/user.entity.js';
import { KnownAddress, LoginCounter } from './login.entity.js';
import { TooManyFailures } from './login.errors.js';
import { COUNT_FAILURE, FIND_LOGIN, SUCCEED } from './login.statements.js';

/** One request to log in, and what the database knows of its username and its address. */
export interface LoginAttempt {
  /** Null if nobody has this username. */
  readonly id: number | null;
  readonly username: string | null;
  /** Of a name that nobody has one that matches no password; null if there are no users at all. */
  readonly passwordHash: string | null;
  readonly passwordVersion: number;
  readonly disabled: boolean;
  readonly hasSecondFactor: boolean;
  /** Whether only the company account signs the user in. */
  readonly isPasswordless: boolean;
  /** `user:17`, or a keyed hash of a name that nobody has. */
  readonly accountKey: string;
  /** The counter of this user at this address, `user:17 at 192.0.2.1`. */
  readonly pairKey: string;
  /** The counter of wrong codes of this user. */
  readonly codeKey: string;
  /** How well the sender is known here, which says how much of the hashing queue it may fill. */
  readonly acquaintance: Acquaintance;
  /** Seconds until the last lock on the attempt ends; null if there is none. */
  readonly lockedSeconds: number | null;
  readonly clientAddress: string;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
}

/** An attempt whose password was right. */
export type RightLogin = LoginAttempt &
  Pick<User, 'id' | 'username' | 'passwordHash' | 'passwordVersion'>;

/** Matches names of any release, also those that `isName` no longer takes. */
const MAY_BE_STORED = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

/** Failures are limited for a user at an address and anywhere, for an address, and for codes. */
type Limit = 'pair' | 'username' | 'address' | 'code';

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
for (const limit of ['pair', 'username', 'address', 'code']) locks.inc({ of: limit }, 0);

/** Counts failed logins in PostgreSQL, where instances share them, and locks after too many. */
@Injectable()
export class LoginFailuresService {
  constructor(
    @InjectRepository(LoginCounter) private readonly counters: Repository<LoginCounter>,
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly config: LoginConfig,
    private readonly people: PeopleConfig,
  ) {}

  /** Reads what is known of an attempt before its password is compared. */
  async findAttempt(username: string, clientAddress: string): Promise<LoginAttempt> {
    const { COMPANY_LOGIN_AND_PASSWORDS, COMPANY_LOGIN_ISSUER } = this.people;
    const network = normalizeIp(clientAddress);
    // A name that nobody has may be a password: the key of its counter is a keyed hash.
    const digest = createHmac('sha256', this.config.JWT_SECRET)
      .update(`login name\0${username}`)
      .digest();
    const [found] = await this.database.run<LoginAttempt>(FIND_LOGIN, [
      MAY_BE_STORED.test(username) ? username : '',
      `name:${digest.toString('base64url').slice(0, 22)}`,
      network,
      this.config.LOGIN_KNOWN_ADDRESS_DAYS,
      digest.readUInt32BE(),
      COMPANY_LOGIN_AND_PASSWORDS ? '' : COMPANY_LOGIN_ISSUER,
    ]);
    return { ...found!, clientAddress, network };
  }

  /** Throws `TooManyFailures` for an attempt under a lock. */
  assertNotLocked({ lockedSeconds }: LoginAttempt): void {
    if (lockedSeconds !== null) throw this.locked(lockedSeconds);
  }

  /** Counts an attempt before its password or code is compared; throws if it is one too many. */
  async countAttempt(limit: 'pair' | 'code', attempt: LoginAttempt): Promise<void> {
    if (!(await this.count(limit, attempt))) return;
    if (limit === 'code') await this.takeBack(attempt);
    throw this.locked(this.config.LOGIN_LOCK_SECONDS);
  }

  /** Takes back the count of an attempt whose password was right, or was not compared. */
  async takeBack({ pairKey: key }: LoginAttempt): Promise<void> {
    const counted = { key, locked: false, failures: MoreThan(0) };
    await this.counters.decrement(counted, 'failures', 1);
  }

  /** Counts a wrong password for the user and for the address; the pair was counted before. */
  async countWrong(attempt: LoginAttempt): Promise<void> {
    await Promise.all([this.count('username', attempt), this.count('address', attempt)]);
  }

  async clearCodes({ codeKey: key }: LoginAttempt): Promise<void> {
    await this.counters.delete({ key });
  }

  /** Clears the counter of the pair, and remembers the address. */
  async succeed(attempt: LoginAttempt, transaction?: EntityManager): Promise<void> {
    const { id, network, pairKey } = attempt;
    await this.database.run(SUCCEED, [pairKey, id, network], transaction);
  }

  /** Removes the locks of a user, those of the addresses that are known for it as well. */
  async unlock(userId: number, manager = this.counters.manager): Promise<void> {
    const networks = (await manager.findBy(KnownAddress, { userId })).map(({ network }) => network);
    const others = In([`user:${userId}`, `user:${userId} code`, ...networks]);
    await manager.delete(LoginCounter, { key: Or(others, Like(`user:${userId} at %`)) });
  }

  /** Returns the last lock of each locked user; its network is empty if it holds anywhere. */
  async listLocks(): Promise<Map<number, { endsAt: Date; network: string }>> {
    const endsAt = Raw((column) => `${column} > now()`);
    const where = { locked: true, endsAt, key: Like('user:%') };
    const locks = await this.counters.find({ where, order: { endsAt: 'ASC' } });
    return new Map(
      locks.map(({ key, endsAt }) => {
        const [user = '', , network = ''] = key.split(' ');
        return [Number(user.slice('user:'.length)), { endsAt, network }];
      }),
    );
  }

  async forgetAddresses(userId: number, manager = this.counters.manager): Promise<void> {
    await manager.delete(KnownAddress, { userId });
  }

  /** Counts an attempt under a lock in the metrics alone, as a flood must not fill the disk. */
  private locked(seconds: number): Error {
    logins.inc({ outcome: 'locked' });
    return new TooManyFailures(seconds);
  }

  /** Counts a failure; one too many begins a lock. Says whether there is a lock. */
  private async count(limit: Limit, attempt: LoginAttempt): Promise<boolean> {
    const { config } = this;
    const [key, failures] = {
      pair: [attempt.pairKey, config.LOGIN_MAX_FAILURES],
      code: [attempt.codeKey, config.LOGIN_MAX_FAILURES],
      username: [attempt.accountKey, config.LOGIN_USERNAME_MAX_FAILURES],
      address: [attempt.network, config.LOGIN_ADDRESS_MAX_FAILURES],
    }[limit] as [string, number];
    const isCountedBefore = limit === 'pair' || limit === 'code';
    const seconds = config.LOGIN_LOCK_SECONDS;
    const values = [key, isCountedBefore ? failures : failures - 1, config.LOGIN_WINDOW_SECONDS];
    const [counted] = await this.database.run<LoginCounter>(COUNT_FAILURE, [...values, seconds]);
    if (counted?.locked === true) {
      locks.inc({ of: limit });
      const { accountKey: actor, clientAddress } = attempt;
      const event = { actor, action: 'login lock', subject: key, clientAddress };
      await this.audit.record({ ...event, outcome: 'locked', details: { failures, seconds } });
    }
    return counted?.locked ?? true;
  }
}
