import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { counter } from '../../metrics/metrics.js';
import type { LoginIdentity, LoginThrottle } from './login-identity.js';

const OUTCOMES = ['success', 'failure', 'locked', 'disabled'] as const;
const LOCKS = ['pair', 'username', 'address'] as const;

const logins = counter('logins_total', 'Logins by their outcome', 'outcome', OUTCOMES);
const locks = counter('login_locks_total', 'Locks after failed logins', 'of', LOCKS);

/** Records logins in the audit log and the metrics. */
@Injectable()
export class LoginAudit {
  constructor(private readonly audit: AuditService) {}

  async succeeded(identity: LoginIdentity, tokenId: string): Promise<void> {
    logins.add(1, 'success');
    await this.record(identity, 'success', { token_id: tokenId });
  }

  async failed(identity: LoginIdentity): Promise<void> {
    logins.add(1, 'failure');
    await this.record(identity, 'failure');
  }

  /** The password was right, but no token was issued. */
  async denied(identity: LoginIdentity, reason: string): Promise<void> {
    logins.add(1, 'disabled');
    await this.record(identity, 'refused', { reason });
  }

  /** Writes only the first under a lock: a flood must not fill the disk. */
  async rejected(identity: LoginIdentity, lock: LoginThrottle['name'], isFirst: boolean): Promise<void> {
    logins.add(1, 'locked');
    if (isFirst) await this.record(identity, 'refused', { reason: `locked: ${describeLock(identity, lock)}` });
  }

  async locked(identity: LoginIdentity, { name, limit, blockDuration }: LoginThrottle): Promise<void> {
    locks.add(1, name);
    await this.audit.record({
      actor: identity.accountKey,
      action: 'login lock',
      subject: describeLock(identity, name),
      clientAddress: identity.clientAddress,
      outcome: 'locked',
      details: { failures: limit, seconds: blockDuration / 1000 },
    });
  }

  private async record(
    { accountKey: actor, clientAddress }: LoginIdentity,
    outcome: 'success' | 'failure' | 'refused',
    details?: Record<string, string>,
  ): Promise<void> {
    await this.audit.record({ actor, action: 'login', clientAddress, outcome, details });
  }
}

function describeLock({ accountKey, ipPrefix }: LoginIdentity, name: LoginThrottle['name']): string {
  if (name === 'address') return ipPrefix;
  return `${accountKey} at ${name === 'pair' ? ipPrefix : 'addresses it is not known at'}`;
}
