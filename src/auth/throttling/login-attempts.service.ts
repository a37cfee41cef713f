import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import { AppConfig } from '../../config/app-config.js';
import { CredentialsService } from '../../users/credentials.service.js';
import { TooManyLogins } from '../../users/users.errors.js';
import { KeyedQueue } from './keyed-queue.js';
import { LoginAttemptsRepository } from './login-attempts.repository.js';
import { accountKey, type LoginAttempt } from './login-attempt.js';
import { LoginLimitsService } from './login-limits.service.js';

/** Of the limit of a response, for slot and comparison together. */
const MAX_SHARE = 0.8;
const MIN_POLL_MS = 25;
const MAX_POLL_MS = 800;

/** Compares passwords, a limited number at once. */
@Injectable()
export class LoginAttemptsService {
  private readonly queue: KeyedQueue;
  private readonly comparisons = new Map<string, Promise<boolean>>();

  constructor(
    private readonly repository: LoginAttemptsRepository,
    private readonly limits: LoginLimitsService,
    private readonly credentials: CredentialsService,
    private readonly config: AppConfig,
  ) {
    this.queue = new KeyedQueue(config.HASH_QUEUE_MAX);
  }

  async identify(username: string, clientAddress: string): Promise<LoginAttempt> {
    const deadline = performance.now() + MAX_SHARE * this.config.RESPONSE_TIMEOUT_MS;
    const credentials = await this.credentials.find(username);
    const prefix = normalizeIp(clientAddress);
    const known = await this.repository.isKnown(credentials.account?.id, prefix, this.config.LOGIN_KNOWN_ADDRESS_DAYS);
    const key = accountKey(credentials, username, this.config.JWT_SECRET);
    return { credentials, accountKey: key, ipPrefix: prefix, clientAddress, known, throttles: [], deadline };
  }

  /** Identical concurrent logins share a comparison. Call `release` once the outcome is counted. */
  async compare(attempt: LoginAttempt, password: string): Promise<{ matches: boolean; release: () => Promise<void> }> {
    const { accountKey, ipPrefix, credentials } = attempt;
    const key = JSON.stringify([accountKey, ipPrefix, credentials.account?.passwordHash, password]);
    const shared = this.comparisons.get(key);
    if (shared) return { matches: await shared, release: () => Promise.resolve() };
    const comparison = this.compareInSlot(attempt, password);
    this.comparisons.set(key, comparison);
    try {
      return { matches: await comparison, release: () => this.repository.releaseSlot(attempt) };
    } finally {
      this.comparisons.delete(key);
    }
  }

  async fail(attempt: LoginAttempt): Promise<void> {
    await this.limits.countFailure(attempt);
  }

  /** Another login may have caused a lock meanwhile. */
  async succeed(attempt: LoginAttempt, userId: number): Promise<void> {
    if (!(await this.repository.succeed(attempt, userId))) await this.limits.assertNotLocked(attempt);
  }

  private async compareInSlot(attempt: LoginAttempt, password: string): Promise<boolean> {
    this.credentials.assertCapacity(attempt.known); // before a row is written
    const pair = `${attempt.accountKey} ${attempt.ipPrefix}`;
    if ((await this.queue.run(pair, () => this.acquireSlot(attempt))) !== true) throw new TooManyLogins(1);
    try {
      return await before(attempt.deadline, this.credentials.match(attempt.credentials, password, attempt.known));
    } catch (error) {
      await this.repository.releaseSlot(attempt);
      throw error;
    }
  }

  private async acquireSlot(attempt: LoginAttempt): Promise<boolean> {
    for (let pollMs = MIN_POLL_MS; performance.now() < attempt.deadline; pollMs = Math.min(2 * pollMs, MAX_POLL_MS)) {
      const { acquired, locked } = await this.repository.acquireSlot(attempt);
      if (acquired) return true;
      if (locked) await this.limits.assertNotLocked(attempt);
      await setTimeout(Math.min(pollMs, attempt.deadline - performance.now()));
    }
    return false;
  }
}

/** Does not stop the work. */
async function before<Result>(deadline: number, work: Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  const timeout = setTimeout(deadline - performance.now(), undefined, { signal: stop.signal }).then(() => {
    throw new TooManyLogins(1);
  });
  return Promise.race([work, timeout]).finally(() => stop.abort());
}
