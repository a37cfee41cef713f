import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { counter } from '../../metrics/metrics.js';
import type { LoginIdentity } from './login-attempt.js';
import type { Counter, CounterKey, Lock } from './login-failures.repository.js';

type Outcome = 'success' | 'failure' | 'locked' | 'disabled';

const logins = counter<Outcome>('logins_total', 'Logins by their outcome', 'outcome');
const locks = counter<'pair' | 'username' | 'address'>('login_locks_total', 'Locks after failed logins', 'of');

/** Tells the audit log and the metrics how logins went. */
@Injectable()
export class LoginAudit {
  constructor(private readonly audit: AuditService) {}

  async succeeded({ subject, clientAddress }: LoginIdentity, tokenId: string): Promise<void> {
    logins.add(1, 'success');
    const details = { token_id: tokenId };
    await this.audit.record({ actor: subject, action: 'login', clientAddress, outcome: 'success', details });
  }

  async failed({ subject, clientAddress }: LoginIdentity): Promise<void> {
    logins.add(1, 'failure');
    await this.audit.record({ actor: subject, action: 'login', clientAddress, outcome: 'failure' });
  }

  /** The password was right, and there is no token all the same. */
  async shutOut({ subject, clientAddress }: LoginIdentity, reason: string): Promise<void> {
    logins.add(1, 'disabled');
    const details = { reason };
    await this.audit.record({ actor: subject, action: 'login', clientAddress, outcome: 'refused', details });
  }

  /** A flood of refused logins must not fill the disk: of those under one lock, the first is kept. */
  async refused({ subject, clientAddress }: LoginIdentity, lock: Lock, isFirst: boolean): Promise<void> {
    logins.add(1, 'locked');
    if (!isFirst) return;
    const details = { reason: `locked: ${describeLock(lock)}` };
    await this.audit.record({ actor: subject, action: 'login', clientAddress, outcome: 'refused', details });
  }

  async locked({ subject, clientAddress }: LoginIdentity, { limit, ...key }: Counter): Promise<void> {
    locks.add(1, key.subject === '' ? 'address' : key.network === '' ? 'username' : 'pair');
    await this.audit.record({
      actor: subject,
      action: 'login lock',
      subject: describeLock(key),
      clientAddress,
      outcome: 'locked',
      details: { failures: limit.maxFailures, seconds: limit.lockSeconds },
    });
  }
}

/** `user:17 at 192.0.2.7`, `user:17 at addresses it is not known at`, `192.0.2.7`. */
function describeLock({ subject, network }: CounterKey): string {
  if (subject === '') return network;
  return `${subject} at ${network === '' ? 'addresses it is not known at' : network}`;
}
