import { Injectable } from '@nestjs/common';
import { InjectThrottlerStorage } from '@nestjs/throttler';
import { AppConfig } from '../../config/app-config.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { TooManyFailures } from '../auth.errors.js';
import { EXPIRED_FAILURES, OLD_ADDRESSES } from './login-attempts.repository.js';
import { LoginAudit } from './login-audit.js';
import { userAccountKey, type LoginAttempt, type LoginThrottle } from './login-attempt.js';
import { PostgresThrottlerStorage } from './postgres-throttler.storage.js';

@Injectable()
export class LoginLimitsService {
  constructor(
    @InjectThrottlerStorage() private readonly storage: PostgresThrottlerStorage,
    private readonly audit: LoginAudit,
    housekeeping: Housekeeping,
    { LOGIN_KNOWN_ADDRESS_DAYS }: AppConfig,
  ) {
    housekeeping.add(EXPIRED_FAILURES);
    housekeeping.add(OLD_ADDRESSES, () => [LOGIN_KNOWN_ADDRESS_DAYS]);
  }

  async assertNotLocked(attempt: LoginAttempt): Promise<void> {
    const throttles = attempt.throttles.filter((throttle) => applies(throttle, attempt));
    const lock = await this.storage.findLongestLock(throttles.map(({ key }) => key));
    if (!lock) return;
    const { name } = throttles.find(({ key }) => key === lock.key)!;
    const isFirst = !lock.rejectionRecorded && (await this.storage.markRejection(lock.key));
    await this.audit.rejected(attempt, name, isFirst);
    throw new TooManyFailures(lock.lockedSeconds);
  }

  /** Under the pair's lock nothing else is counted. */
  async countFailure(attempt: LoginAttempt): Promise<void> {
    const counted = await this.increment(attempt.throttles.filter(({ name }) => name === 'pair'));
    if (!counted.some(({ wasLocked }) => wasLocked)) {
      counted.push(...(await this.increment(attempt.throttles.filter(({ name }) => name !== 'pair'))));
      await this.audit.failed(attempt);
      for (const { throttle, locksNow } of counted) if (locksNow) await this.audit.locked(attempt, throttle);
    }
    if (counted.some(({ throttle, wasLocked }) => wasLocked && applies(throttle, attempt)))
      await this.assertNotLocked(attempt);
  }

  async unlock(userId: number): Promise<void> {
    await this.storage.unlock(userAccountKey(userId), userId);
  }

  private increment(throttles: readonly LoginThrottle[]) {
    const counted = throttles.map(async (throttle) => {
      const { key, ttl, limit, blockDuration } = throttle;
      const { isBlocked, locksNow } = await this.storage.increment(key, ttl, limit, blockDuration);
      return { throttle, locksNow, wasLocked: isBlocked && !locksNow };
    });
    return Promise.all(counted);
  }
}

/** Failures elsewhere do not lock a user out at a known address. */
function applies({ name }: LoginThrottle, { known }: LoginAttempt): boolean {
  return !(known && name === 'username');
}
