import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { AuditService } from '../../audit/audit.service.js';
import { LoginConfig } from '../../config/login.config.js';
import { limitsOf, type LoginAttempt, type Throttler } from './login-attempts.service.js';

const OUTCOMES = ['success', 'failure', 'locked', 'disabled'] as const;
const LOCKS = ['pair', 'username', 'address'] as const;

const logins = new Counter({
  name: 'logins_total',
  help: 'Logins by their outcome',
  labelNames: ['outcome'],
});
const locks = new Counter({
  name: 'login_locks_total',
  help: 'Locks after failed logins',
  labelNames: ['of'],
});
// so that the first of each shows as a rise
for (const outcome of OUTCOMES) logins.inc({ outcome }, 0);
for (const of of LOCKS) locks.inc({ of }, 0);

/** Records logins in the audit log and the metrics. */
@Injectable()
export class LoginAudit {
  constructor(
    private readonly audit: AuditService,
    private readonly config: LoginConfig,
  ) {}

  async succeeded(attempt: LoginAttempt, tokenId: string): Promise<void> {
    logins.inc({ outcome: 'success' });
    await this.record(attempt, 'success', { token_id: tokenId });
  }

  async failed(attempt: LoginAttempt): Promise<void> {
    logins.inc({ outcome: 'failure' });
    await this.record(attempt, 'failure');
  }

  /** The password was right, but no token was issued. */
  async refused(attempt: LoginAttempt, reason: string): Promise<void> {
    logins.inc({ outcome: 'disabled' });
    await this.record(attempt, 'refused', { reason });
  }

  /** An attempt under a lock is only counted: a flood must not fill the disk. */
  locked(): void {
    logins.inc({ outcome: 'locked' });
  }

  async lock(attempt: LoginAttempt, name: Throttler): Promise<void> {
    locks.inc({ of: name });
    const { limit, blockDuration } = limitsOf(name, this.config);
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
    details: Record<string, string> = {},
  ): Promise<void> {
    await this.audit.record({ actor, action: 'login', clientAddress, outcome, details });
  }
}

function describeLock({ accountKey, network }: LoginAttempt, name: Throttler): string {
  if (name === 'address') return network;
  return `${accountKey} at ${name === 'pair' ? network : 'addresses it is not known at'}`;
}
