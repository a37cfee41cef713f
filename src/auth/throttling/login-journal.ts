import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { counter } from '../../observability/metrics/tallies.js';
import type { Applicant } from './login-attempt.js';
import type { CounterKey } from './login-failures.repository.js';
import type { LoginLimit } from './login-limits.js';

const logins = counter<'success' | 'failure' | 'refused'>('logins_total', 'Logins by their outcome', 'outcome');
const locks = counter<'pair' | 'username' | 'address'>(
  'login_locks_total',
  'Locks that fell, by what they lock',
  'kind',
);

/** Tells the audit log how logins went. */
@Injectable()
export class LoginJournal {
  constructor(private readonly audit: AuditService) {}

  async succeeded({ subject, clientAddress }: Applicant, tokenId: string): Promise<void> {
    logins.add(1, 'success');
    const details = { token_id: tokenId };
    await this.audit.record({ actor: subject, action: 'login', clientAddress, outcome: 'success', details });
  }

  async failed({ subject, clientAddress }: Applicant): Promise<void> {
    logins.add(1, 'failure');
    await this.audit.record({ actor: subject, action: 'login', clientAddress, outcome: 'failure' });
  }

  async refused({ subject, clientAddress }: Applicant, reason: string): Promise<void> {
    logins.add(1, 'refused');
    await this.audit.record({
      actor: subject,
      action: 'login',
      clientAddress,
      outcome: 'refused',
      details: { reason },
    });
  }

  async locked({ subject, clientAddress }: Applicant, key: CounterKey, limit: LoginLimit): Promise<void> {
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
export function describeLock({ subject, network }: CounterKey): string {
  if (subject === '') return network;
  return `${subject} at ${network === '' ? 'addresses it is not known at' : network}`;
}
