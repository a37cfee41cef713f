import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { getRounds } from 'bcrypt';
import { Piscina } from 'piscina';
import { DatabaseConfig } from '../config/database.config.js';
import { LoginConfig } from '../config/login.config.js';
import { gauge } from '../metrics/gauge.js';
import { InvalidPassword, TooManyLogins } from './users.errors.js';

const WORKER = new URL('./hash-worker.js', import.meta.url).href;
/** The characters of a made password, none of which looks like another. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
/** Lets uploads go before logins. On other systems it would slow the whole process. */
const NICE_INCREMENT = process.platform === 'linux' ? 5 : 0;
/** About what a comparison takes; it doubles with each step of the cost. */
const COMPARE_MS_AT_COST_12 = 250;
/** Logins that are turned away are asked to come back after 1 to this many seconds. */
const MAX_RETRY_SECONDS = 14;

/** Checks, hashes and compares passwords: see docs/performance.md#hash-threads */
@Injectable()
export class PasswordsService implements OnApplicationShutdown {
  private readonly threads: number;
  private readonly maxQueue: number;
  private pool: Piscina | undefined;
  /** When the login that was turned away last is asked to come back, in milliseconds. */
  private lastReturn = 0;

  constructor(
    private readonly config: LoginConfig,
    private readonly database: DatabaseConfig,
  ) {
    // With one thread, five guesses at once would fill the share of the queue that strangers have.
    this.threads = config.HASH_THREADS || Math.max(2, availableParallelism());
    this.maxQueue = this.threads * config.HASH_QUEUE_MAX;
    gauge('password_hash_queue', 'Passwords that wait for a hashing thread', () => this.waiting);
  }

  /** Checks a new password as OWASP ASVS 5 section V6.2 asks. */
  async assertStrong(username: string, password: string): Promise<void> {
    this.assertAllowed(username, password);
    // Looking through the list takes a thread as long as a hash.
    if (await this.run<boolean>('isCommon', { password }))
      throw new InvalidPassword('is one of the most common ones');
  }

  /** Checks of a new password what costs nothing. */
  assertAllowed(username: string, password: string): void {
    const { PASSWORD_MIN_LENGTH } = this.config;
    const { length } = Array.from(password); // counts code points
    if (length === 0) throw new InvalidPassword('is empty');
    if (password.toLowerCase() === username.toLowerCase())
      throw new InvalidPassword('is the username');
    if (length < PASSWORD_MIN_LENGTH)
      throw new InvalidPassword(`has fewer than ${PASSWORD_MIN_LENGTH} characters`);
    assertComparable(password);
  }

  /** Hashes a password. */
  async hash(password: string): Promise<string> {
    assertComparable(password);
    return this.run<string>('hash', { password, cost: this.config.BCRYPT_COST });
  }

  /** Makes a password that can be read out and typed: groups of five characters, none alike. */
  generate(): string {
    const groups = Math.max(4, Math.ceil((this.config.PASSWORD_MIN_LENGTH + 1) / 6));
    const group = () =>
      Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    return Array.from({ length: groups }, group).join('-').slice(0, 72);
  }

  /** Works through many passwords on all threads, and lets none wait in their queue. */
  async forEach<Item>(
    items: readonly Item[],
    work: (item: Item, index: number) => Promise<void>,
  ): Promise<void> {
    const remaining = items.entries();
    const workThrough = async (): Promise<void> => {
      for (const [index, item] of remaining) await work(item, index);
    };
    await Promise.all(Array.from({ length: this.threads }, workThrough));
  }

  /** Compares even if there is no hash, so that the time does not tell which users exist. */
  async matches(password: string, passwordHash: string | null, isKnown = true): Promise<boolean> {
    this.assertCapacity(isKnown);
    const isEqual = await this.run<boolean>('compare', {
      password: isComparable(password) ? password : '',
      passwordHash: passwordHash ?? dummyHash(this.config.BCRYPT_COST),
    });
    return isEqual && isComparable(password);
  }

  /** Keeps half of the queue for addresses from which the user logged in before. */
  assertCapacity(isKnown: boolean): void {
    const limit = isKnown ? this.maxQueue : Math.ceil(this.maxQueue / 2);
    if (this.waiting >= limit) throw this.tooManyLogins();
  }

  /** Says whether the cost was raised since the password was hashed. */
  isOutdated(passwordHash: string): boolean {
    return getRounds(passwordHash) < this.config.BCRYPT_COST;
  }

  /** Ends the threads. Importing bcrypt above prevents an abort while a thread still loads it. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }

  private get waiting(): number {
    return this.pool?.queueSize ?? 0;
  }

  private async run<Result>(name: 'hash' | 'compare' | 'isCommon', task: object): Promise<Result> {
    this.assertCapacity(true);
    this.pool ??= new Piscina({
      filename: WORKER,
      minThreads: this.threads, // makes the pool replace threads that end
      maxThreads: this.threads,
      maxQueue: this.maxQueue,
      stricterFIFO: true, // without it, a login is put behind later ones again and again
      niceIncrement: NICE_INCREMENT,
    });
    const now = performance.timeOrigin + performance.now(); // in milliseconds, in any thread
    const startBy = now + this.database.RESPONSE_TIMEOUT_MS / 2;
    const result = (await this.pool.run({ ...task, startBy }, { name })) as Result | undefined;
    if (result === undefined) throw this.tooManyLogins();
    return result;
  }

  /**
   * Asks logins that are turned away to come back one after another, as fast as the threads
   * compare, so that no thread is idle while some still wait. After MAX_RETRY_SECONDS the turns
   * begin anew, so that a flood makes nobody wait longer.
   */
  private tooManyLogins(): Error {
    const now = performance.now();
    const compareMs = COMPARE_MS_AT_COST_12 * 2 ** (this.config.BCRYPT_COST - 12);
    const next = Math.max(this.lastReturn + compareMs / this.threads, now + 1000);
    this.lastReturn = next > now + MAX_RETRY_SECONDS * 1000 ? now + 1000 : next;
    return new TooManyLogins(Math.round((this.lastReturn - now) / 1000));
  }
}

/** Rejects a new password that bcrypt would cut silently. */
function assertComparable(password: string): void {
  if (password === '') throw new InvalidPassword('is empty');
  if (!isComparable(password))
    throw new InvalidPassword('is longer than 72 bytes in UTF-8, or holds a NUL character');
}

/** Says whether bcrypt reads all of a password, at most 72 bytes without NUL or lone surrogates. */
function isComparable(password: string): boolean {
  return Buffer.byteLength(password) <= 72 && !/[\0\p{Cs}]/u.test(password);
}

/** A well-formed hash that matches no password. */
function dummyHash(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
}
