import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { LoginFailuresRepository } from './login-failures.repository.js';

/** Keeps what @nestjs/throttler counts in PostgreSQL, where all instances see it and no restart forgets it. */
@Injectable()
export class PostgresThrottlerStorage implements ThrottlerStorage {
  constructor(private readonly failures: LoginFailuresRepository) {}

  /** Counts one hit of a key. Takes milliseconds and answers in seconds, as the interface has it. */
  async increment(key: string, ttl: number, maxFailures: number, blockDuration: number) {
    const limit = { maxFailures, windowSeconds: ttl / 1000, lockSeconds: blockDuration / 1000 };
    const counter = { subject: key, network: '' };
    const [counted] = await this.failures.count([{ ...counter, limit }]);
    const { lock } = await this.failures.findLock(counter);
    return {
      totalHits: lock ? maxFailures : (counted?.failures ?? 0),
      timeToExpire: limit.windowSeconds,
      isBlocked: lock !== undefined,
      timeToBlockExpire: lock?.lockedSeconds ?? 0,
    };
  }
}
