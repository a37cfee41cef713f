import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { AuditService } from '../../audit/audit.service.js';
import { AccountDisabled } from '../login/login.errors.js';
import { TokensService } from '../tokens/tokens.service.js';
import type { CompanyLoginResponse } from './company.dto.js';
import { CompanyAccountUnknown, CompanyAddressUnverified } from './company.errors.js';
import { CompanyAccountsService } from './company-accounts.service.js';
import { CompanyProviderService } from './company-provider.service.js';

const BY = { by: 'company account' };

const REFUSALS = {
  unknown: ['no user is linked', CompanyAccountUnknown],
  unverified: ['the address is not verified by the company', CompanyAddressUnverified],
  disabled: ['account disabled', AccountDisabled],
} as const;

const companyLogins = new Counter({
  name: 'company_logins_total',
  help: 'Sign-ins with a company account by their outcome',
  labelNames: ['outcome'],
});
for (const outcome of ['success', 'unknown', 'unverified', 'disabled', 'failure'])
  companyLogins.inc({ outcome }, 0);

/** Signs people in with their company account, and issues the token that a login gives. */
@Injectable()
export class CompanyLoginService {
  constructor(
    private readonly provider: CompanyProviderService,
    private readonly accounts: CompanyAccountsService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

  async complete(
    ticket: string,
    answer: string,
    clientAddress: string,
  ): Promise<CompanyLoginResponse> {
    const identity = await this.provider.complete(ticket, answer).catch((error: unknown) => {
      companyLogins.inc({ outcome: 'failure' }); // not audited: anybody could fill the log
      throw error;
    });
    const user = await this.accounts.find(identity);
    if (!user) {
      const { subject, account, isUnverified } = identity;
      const outcome = isUnverified ? 'unverified' : 'unknown';
      return this.refuse(outcome, `company:${subject}`, clientAddress, { account });
    }
    const event = { action: 'login', clientAddress, isByCompany: true };
    const issued = await this.tokens.issue(user, event);
    if (!issued) return this.refuse('disabled', `user:${user.id}`, clientAddress);
    companyLogins.inc({ outcome: 'success' });
    return Object.assign(issued, { username: user.username });
  }

  /** Ends the tokens of a person who has signed out at the provider, or was disabled there. */
  async logOut(logoutToken: string): Promise<number> {
    const identity = await this.provider.readLogout(logoutToken);
    const user = await this.accounts.find(identity);
    if (!user) return 0;
    const revoked = await this.tokens.revokeOf(user.id);
    const actor = `company:${identity.subject}`;
    const event = { actor, action: 'token revoke', subject: user.username } as const;
    await this.audit.record({ ...event, outcome: 'success', details: { ...BY, revoked } });
    return revoked;
  }

  /** Refuses somebody whom the provider has signed in, and records why. */
  private async refuse(
    outcome: keyof typeof REFUSALS,
    actor: string,
    clientAddress: string,
    details: object = {},
  ): Promise<never> {
    const [reason, Refusal] = REFUSALS[outcome];
    companyLogins.inc({ outcome });
    const event = { actor, action: 'login', clientAddress, outcome: 'refused' } as const;
    await this.audit.record({ ...event, details: { ...BY, reason, ...details } });
    throw new Refusal();
  }
}
