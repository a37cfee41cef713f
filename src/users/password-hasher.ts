import { availableParallelism } from 'node:os';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { gauge } from '../metrics/metrics.js';
import { HashThreads } from './hash-threads.js';
import { InvalidPassword } from './users.errors.js';
import type { Credentials } from './users.repository.js';

@Injectable()
export class PasswordHasher implements OnApplicationShutdown {
  private readonly threads: HashThreads;

  constructor(private readonly config: AppConfig) {
    this.threads = new HashThreads({
      threads: config.HASH_THREADS === 0 ? shareOfCores(config) : config.HASH_THREADS,
      waiting: config.HASH_QUEUE_MAX,
      seconds: (0.8 * config.RESPONSE_TIMEOUT_MS) / 1000,
    });
    gauge('password_hash_queue', 'Passwords that wait for a hashing thread', () => this.threads.depth);
  }

  /** Rejects what bcrypt would cut silently. */
  async hash(password: string): Promise<string> {
    if (password === '') throw new InvalidPassword('is empty');
    if (!isComparable(password))
      throw new InvalidPassword('is longer than 72 bytes in UTF-8, or holds a NUL character');
    return (await this.threads.run({ password, costs: [this.config.BCRYPT_COST] })).hash;
  }

  /** Always does the work of `workCost`, an unknown user's password included. */
  async matches(password: string, { account, workCost }: Credentials, urgent: boolean): Promise<boolean> {
    const compareWith = account?.passwordHash ?? decoy(workCost);
    const costs = padding(compareWith, workCost);
    const comparable = isComparable(password) ? password : ''; // never a password; the same work
    const { equal } = await this.threads.run({ password: comparable, compareWith, costs }, urgent);
    return equal && comparable !== '' && account !== undefined;
  }

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

function shareOfCores({ WORKERS }: AppConfig): number {
  const cores = availableParallelism();
  return Math.max(1, Math.floor(cores / (WORKERS === 'auto' ? cores : Number(WORKERS))));
}

export const NEVER_COMPARABLE = '\0';

/** bcrypt reads 72 bytes, stops at NUL, and confuses lone surrogates. */
export function isComparable(password: string): boolean {
  return Buffer.byteLength(password) <= 72 && !/[\0\p{Cs}]/u.test(password);
}

/** The 12 of `$2b$12$...`. */
function costOf(passwordHash: string): number {
  return Number(passwordHash.slice(4, 6));
}

/** A hash that no password has. */
function decoy(cost: number): string {
  return `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
}

/** Each cost doubles the work: c plus c, c+1, ... w-1 make w. */
function padding(passwordHash: string, workCost: number): number[] {
  const cost = costOf(passwordHash);
  return Array.from({ length: Math.max(0, workCost - cost) }, (_, index) => cost + index);
}
