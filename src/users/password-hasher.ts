import { availableParallelism } from 'node:os';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { gauge } from '../metrics/metrics.js';
import { HashThreads } from './hash-threads.js';
import { InvalidPassword } from './users.errors.js';

/** What a password is compared with. */
export interface Comparison {
  /** undefined if there is no such user: the same work is done, and nothing matches. */
  readonly passwordHash: string | undefined;
  /** The work of one bcrypt hash of this cost is done, whatever the cost of `passwordHash`, which is no higher. */
  readonly workCost: number;
  readonly urgent: boolean;
}

/** Makes and compares password hashes. */
@Injectable()
export class PasswordHasher implements OnApplicationShutdown {
  private readonly threads: HashThreads;

  constructor(private readonly config: AppConfig) {
    this.threads = new HashThreads({
      threads: config.HASH_THREADS === 0 ? shareOfCores(config) : config.HASH_THREADS,
      waiting: config.HASH_QUEUE_MAX,
    });
    gauge('password_hash_queue', 'Passwords that wait for a hashing thread', () => this.threads.depth);
  }

  /** Throws `InvalidPassword` for what bcrypt would cut silently. */
  async hash(password: string): Promise<string> {
    if (password === '') throw new InvalidPassword('is empty');
    if (!isComparable(password))
      throw new InvalidPassword('is longer than 72 bytes in UTF-8, or holds a NUL character');
    return (await this.threads.run({ password, costs: [this.config.BCRYPT_COST] })).hash;
  }

  /** Throws `TooManyLogins` where too much waits already. */
  async matches(password: string, { passwordHash, workCost, urgent }: Comparison): Promise<boolean> {
    const compareWith = passwordHash ?? decoy(workCost);
    const costs = padding(compareWith, workCost);
    const comparable = isComparable(password) ? password : ''; // no password is empty; the work is the same
    const { equal } = await this.threads.run({ password: comparable, compareWith, costs }, urgent);
    return equal && comparable !== '' && passwordHash !== undefined;
  }

  /** Throws `TooManyLogins` where a comparison would wait too long. */
  assertCapacity(urgent: boolean): void {
    this.threads.assertCapacity(urgent);
  }

  isOutdated(passwordHash: string): boolean {
    return costOf(passwordHash) < this.config.BCRYPT_COST;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.close();
  }
}

/** The cores of a worker process, of which there may be several. */
function shareOfCores({ WORKERS }: AppConfig): number {
  const cores = availableParallelism();
  return Math.max(1, Math.floor(cores / (WORKERS === 'auto' ? cores : Number(WORKERS))));
}

/** A password that `isComparable` rejects. */
export const NEVER_COMPARABLE = '\0';

/** bcrypt reads 72 bytes, stops at a NUL, and sees the same replacement for every lone surrogate. */
export function isComparable(password: string): boolean {
  return Buffer.byteLength(password) <= 72 && !/[\0\p{Cs}]/u.test(password);
}

/** `$2b$12$`, then 22 characters of salt and 31 of hash. */
function costOf(passwordHash: string): number {
  return Number(passwordHash.slice(4, 6));
}

/** In the form of a hash, and no password's. */
function decoy(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
}

/** What an older hash saves is made up for: each cost doubles the work, so c and c, c+1, ... w-1 add up to w. */
function padding(passwordHash: string, workCost: number): number[] {
  const cost = costOf(passwordHash);
  return Array.from({ length: Math.max(0, workCost - cost) }, (_, index) => cost + index);
}
