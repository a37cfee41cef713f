import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ThrottlerOptions } from '@nestjs/throttler';
import type { Repository } from 'typeorm';
import { LoginConfig } from '../../config/login.config.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { KnownAddress } from './login-counter.entity.js';
import {
  EXPIRED_COUNTERS,
  LoginCountersRepository,
  OLD_ADDRESSES,
  type FoundLogin,
} from './login-counters.repository.js';

export type Throttler = 'pair' | 'username' | 'address';

/** One request to log in. */
export interface LoginAttempt extends FoundLogin {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly network: string;
  readonly clientAddress: string;
  /** What becomes of an identical attempt in progress, if there is one. */
  readonly shared: Promise<void> | undefined;
  /** Tells identical attempts what became of this one. */
  readonly settle: (error?: Error) => void;
}

export interface CountedFailure {
  readonly throttler: 'username' | 'address';
  /** This failure caused the lock. */
  readonly locksNow: boolean;
  /** Seconds of a lock that was there before; 0 if there was none. */
  readonly lockedSeconds: number;
}

/** Begins login attempts, and counts those that fail. */
@Injectable()
export class LoginAttemptsService {
  /** Attempts in progress, by user, address and password. */
  private readonly inProgress = new Map<string, Promise<void>>();

  constructor(
    private readonly counters: LoginCountersRepository,
    @InjectRepository(KnownAddress) private readonly addresses: Repository<KnownAddress>,
    private readonly passwords: PasswordsService,
    private readonly config: LoginConfig,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(EXPIRED_COUNTERS);
    housekeeping.add({ ...OLD_ADDRESSES, values: [config.LOGIN_KNOWN_ADDRESS_DAYS] });
  }

  /** Identical attempts at the same moment share one outcome and count as one. */
  async begin(
    { username, password }: { readonly username: string; readonly password: string },
    clientAddress: string,
    network: string,
  ): Promise<LoginAttempt> {
    const found = await this.counters.find(
      isStorable(username) ? username : '',
      unknownKey(username, this.config.JWT_SECRET),
      network,
      this.config.LOGIN_KNOWN_ADDRESS_DAYS,
    );
    const key = JSON.stringify([found.accountKey, network, found.passwordHash, password]);
    const shared = this.inProgress.get(key);
    if (!shared) this.passwords.assertCapacity(found.isKnown);
    const settle = shared ? () => undefined : this.start(key);
    return { ...found, network, clientAddress, shared, settle };
  }

  /** The password was right or was not compared. */
  async takeBack(attempt: LoginAttempt): Promise<void> {
    await this.counters.takeBack(keyOf('pair', attempt));
  }

  /** The pair was counted before the comparison. */
  async countFailure(attempt: LoginAttempt): Promise<CountedFailure[]> {
    const counted = (['username', 'address'] as const).map(async (throttler) => {
      const { limit, ttl, blockDuration } = limitsOf(throttler, this.config);
      const key = keyOf(throttler, attempt);
      const { isBlocked, totalHits, timeToBlockExpire } = await this.counters.increment(
        key,
        ttl,
        limit - 1, // this failure is the last one that was let through
        blockDuration,
      );
      const locksNow = isBlocked && totalHits === limit;
      return { throttler, locksNow, lockedSeconds: isBlocked && !locksNow ? timeToBlockExpire : 0 };
    });
    return Promise.all(counted);
  }

  /** Clears the pair's counter. Returns the seconds of a lock that failures elsewhere have caused meanwhile, or null. */
  async succeed(attempt: LoginAttempt): Promise<number | null> {
    const locks = (['username', 'address'] as const).filter((name) => applies(name, attempt));
    return this.counters.succeed(
      keyOf('pair', attempt),
      locks.map((name) => keyOf(name, attempt)),
      attempt.userId!,
      attempt.network,
    );
  }

  async unlock(userId: number): Promise<void> {
    await this.counters.unlock(`user:${userId}`, userId);
  }

  async forgetAddresses(userId: number): Promise<void> {
    await this.addresses.delete({ userId });
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
    outcome.catch(() => undefined); // nobody may share it
    this.inProgress.set(key, outcome);
    return settle;
  }
}

export function limitsOf(name: Throttler, config: LoginConfig) {
  const limits = {
    pair: config.LOGIN_MAX_FAILURES,
    username: config.LOGIN_USERNAME_MAX_FAILURES,
    address: config.LOGIN_ADDRESS_MAX_FAILURES,
  };
  return {
    name,
    limit: limits[name],
    ttl: config.LOGIN_WINDOW_SECONDS * 1000,
    blockDuration: config.LOGIN_LOCK_SECONDS * 1000,
  } satisfies ThrottlerOptions;
}

/** Failures elsewhere lock nobody out of a known address. */
export function applies(name: Throttler, { isKnown }: LoginAttempt): boolean {
  return name !== 'username' || !isKnown;
}

export function keyOf(name: Throttler, { accountKey, network }: LoginAttempt): string {
  return { pair: `${accountKey} ${network}`, username: accountKey, address: network }[name];
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
