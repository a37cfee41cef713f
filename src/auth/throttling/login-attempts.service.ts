import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { CredentialsService } from '../../users/credentials.service.js';
import { TooManyLogins } from '../../users/users.errors.js';
import { TooManyFailures } from '../auth.errors.js';
import { ipPrefix } from './ip-prefix.js';
import type { LoginIdentity, LoginAttempt } from './login-attempt.js';
import { LoginFailuresRepository } from './login-failures.repository.js';
import { LoginAudit } from './login-audit.js';
import { loginLimits, type LoginLimits } from './login-limits.js';
import { accountKey, userAccountKey } from './account-key.js';
import { KeyedQueue } from './keyed-queue.js';

/** Between two looks for a place that another instance may have given back, and for how long at most, in milliseconds. */
const LOOK_AGAIN_MS = 25;
const MAX_WAIT_MS = 20_000;

/** Counts failed logins and refuses those that follow too many: the limits of a pair, of a username and of an address. */
@Injectable()
export class LoginAttemptsService {
  private readonly limits: LoginLimits;
  private readonly turns: KeyedQueue;

  constructor(
    private readonly failures: LoginFailuresRepository,
    private readonly credentials: CredentialsService,
    private readonly journal: LoginAudit,
    private readonly config: AppConfig,
  ) {
    this.limits = loginLimits(config);
    this.turns = new KeyedQueue(config.HASH_QUEUE_MAX);
  }

  async identify(username: string, clientAddress: string): Promise<LoginIdentity> {
    const credentials = await this.credentials.find(username);
    const subject = accountKey(credentials.account, username, this.config.JWT_SECRET);
    return { credentials, subject, network: ipPrefix(clientAddress), clientAddress };
  }

  /** Only looks. Throws `TooManyFailures`. */
  async open(applicant: LoginIdentity): Promise<LoginAttempt> {
    return { ...applicant, known: await this.assertNotLocked(applicant) };
  }

  /**
   * Returns when a password may be compared; `fail`, `succeed` or `abandon` must follow. A pair has as many places as it
   * has failures left, on all instances together, and further attempts wait for one: right passwords are all let in,
   * and of any number of wrong ones at once no more are compared than the limit says.
   *
   * Throws `TooManyFailures`, and `TooManyLogins` where none came free.
   */
  async begin(attempt: LoginAttempt): Promise<void> {
    const begun = await this.turns.take(`${attempt.subject} ${attempt.network}`, () => this.takePlace(attempt));
    if (begun !== true) throw new TooManyLogins(1);
  }

  /** Counts a wrong password. Throws `TooManyFailures` where a lock fell while it was compared. */
  async fail(attempt: LoginAttempt): Promise<void> {
    const { subject, network, known } = attempt;
    const counters = [
      { subject, network, limit: this.limits.pair },
      { subject, network: '', limit: this.limits.username },
      { subject: '', network, limit: this.limits.address },
    ];
    const counted = await this.failures.count(counters);
    await this.journal.failed(attempt);
    let wasLocked = false;
    for (const counter of counters) {
      const after = counted.find((row) => row.subject === counter.subject && row.network === counter.network);
      if (after?.locked) await this.journal.locked(attempt, counter);
      wasLocked ||= !after && !(known && counter.network === '');
    }
    if (wasLocked) await this.assertNotLocked(attempt);
  }

  /** Clears the pair and remembers the address. Throws `TooManyFailures` where a lock fell while it was compared. */
  async succeed(attempt: LoginAttempt, userId: number): Promise<void> {
    if (await this.failures.succeed(attempt, userId)) await this.assertNotLocked(attempt);
  }

  /** For the audit log, once there is a token. */
  async recordSuccess(attempt: LoginAttempt, tokenId: string): Promise<void> {
    await this.journal.succeeded(attempt, tokenId);
  }

  /** For the audit log: the password was right, and there is no token. */
  async recordShutOut(attempt: LoginAttempt, reason: string): Promise<void> {
    await this.journal.shutOut(attempt, reason);
  }

  /** Neither a failure nor a success. */
  async abandon(attempt: LoginAttempt): Promise<void> {
    await this.failures.end(attempt);
  }

  /** Opens at once what keeps a user out: its own locks, and those of the addresses at which it is known. */
  async unlock(userId: number): Promise<void> {
    await this.failures.forget(userAccountKey(userId), userId);
  }

  private async takePlace(attempt: LoginAttempt): Promise<boolean> {
    const end = performance.now() + MAX_WAIT_MS;
    do {
      const { begun, locked } = await this.failures.begin(attempt, this.limits.pair);
      if (begun) return true;
      if (locked) await this.assertNotLocked(attempt);
      await setTimeout(LOOK_AGAIN_MS);
    } while (performance.now() < end);
    return false;
  }

  /** Whether the user is known at the network. Throws `TooManyFailures`. */
  private async assertNotLocked(applicant: LoginIdentity): Promise<boolean> {
    const { account } = applicant.credentials;
    const user = account && { id: account.id, knownDays: this.config.LOGIN_KNOWN_ADDRESS_DAYS };
    const { known, lock } = await this.failures.findLock(applicant, user);
    if (!lock) return known;
    await this.journal.refused(applicant, lock, !lock.refusalRecorded && (await this.failures.markRefusal(lock)));
    throw new TooManyFailures(lock.lockedSeconds);
  }
}
