import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { counter } from '../../metrics/metrics.js';
import type { LoginAttempt, LoginThrottle } from './login-attempt.js';

const OUTCOMES = ['success', 'failure', 'locked', 'disabled'] as const;
const LOCKS = ['pair', 'username', 'address'] as const;

const logins = counter('logins_total', 'Logins by their outcome', 'outcome', OUTCOMES);
const locks = counter('login_locks_total', 'Locks after failed logins', 'of', LOCKS);

/** Records logins in the audit log and the metrics. */
@Injectable()
export class LoginAudit {
  constructor(private readonly audit: AuditService) {}

  async succeeded(attempt: LoginAttempt, tokenId: string): Promise<void> {
    logins.add(1, 'success');
    await this.record(attempt, 'success', { token_id: tokenId });
  }

  async failed(attempt: LoginAttempt): Promise<void> {
    logins.add(1, 'failure');
    await this.record(attempt, 'failure');
  }

  /** The password was right, but no token was issued. */
  async denied(attempt: LoginAttempt, reason: string): Promise<void> {
    logins.add(1, 'disabled');
    await this.record(attempt, 'refused', { reason });
  }

  /** Writes only the first under a lock: a flood must not fill the disk. */
  async rejected(attempt: LoginAttempt, lock: LoginThrottle['name'], isFirst: boolean): Promise<void> {
    logins.add(1, 'locked');
    if (isFirst) await this.record(attempt, 'refused', { reason: `locked: ${describeLock(attempt, lock)}` });
  }

  async locked(attempt: LoginAttempt, { name, limit, blockDuration }: LoginThrottle): Promise<void> {
    locks.add(1, name);
    await this.audit.record({
      actor: attempt.accountKey,
      action: 'login lock',
      subject: describeLock(attempt, name),
      clientAddress: attempt.clientAddress,
      outcome: 'locked',
      details: { failures: limit, seconds: blockDuration / 1000 },
    });
  }

  private async record(
    { accountKey: actor, clientAddress }: LoginAttempt,
    outcome: 'success' | 'failure' | 'refused',
    details?: Record<string, string>,
  ): Promise<void> {
    await this.audit.record({ actor, action: 'login', clientAddress, outcome, details });
  }
}

function describeLock({ accountKey, ipPrefix }: LoginAttempt, name: LoginThrottle['name']): string {
  if (name === 'address') return ipPrefix;
  return `${accountKey} at ${name === 'pair' ? ipPrefix : 'addresses it is not known at'}`;
}
