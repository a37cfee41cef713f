import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { AuditService } from '../../audit/audit.service.js';
import { AccountDisabled } from '../login/login.errors.js';
import type { Login } from '../login/login-tokens.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { CompanyAccountUnknown } from './company.errors.js';
import { CompanyAccountsService } from './company-accounts.service.js';
import { CompanyProviderService } from './company-provider.service.js';
import { CompanyTicketsService } from './company-tickets.service.js';

const BY = { by: 'company account' };

const companyLogins = new Counter({
  name: 'company_logins_total',
  help: 'Sign-ins with a company account by their outcome',
  labelNames: ['outcome'],
});
for (const outcome of ['success', 'unknown', 'disabled', 'failure'])
  companyLogins.inc({ outcome }, 0);

/** Signs people in with their company account, and issues the token that a login gives. */
@Injectable()
export class CompanyLoginService {
  constructor(
    private readonly provider: CompanyProviderService,
    private readonly tickets: CompanyTicketsService,
    private readonly accounts: CompanyAccountsService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

  async begin(asksAnew: boolean): Promise<{ url: string; ticket: string }> {
    const { url, secrets } = await this.provider.begin(asksAnew);
    return { url, ticket: this.tickets.sign(secrets) };
  }

  async complete(
    ticket: string,
    answer: string,
    clientAddress: string,
  ): Promise<Login & { username: string }> {
    const secrets = this.tickets.open(ticket);
    const identity = await this.provider.complete(answer, secrets).catch((error: unknown) => {
      companyLogins.inc({ outcome: 'failure' }); // not audited: anybody could fill the log
      throw error;
    });
    const user = await this.accounts.find(identity);
    if (!user) {
      companyLogins.inc({ outcome: 'unknown' });
      const actor = `company:${identity.subject}`;
      await this.refuse(actor, clientAddress, 'no user is linked');
      throw new CompanyAccountUnknown();
    }
    const { passwordChangedAt, username } = user;
    const last = await this.audit.findLastLogin(user.id);
    const event = { action: 'login', clientAddress, details: BY, isByCompany: true };
    const issued = await this.tokens.issue(user, event);
    if (!issued) {
      companyLogins.inc({ outcome: 'disabled' });
      await this.refuse(`user:${user.id}`, clientAddress, 'account disabled');
      throw new AccountDisabled();
    }
    companyLogins.inc({ outcome: 'success' });
    return { ...issued, username, told: { ...last, passwordChangedAt } };
  }

  /** Ends the tokens of a person who has signed out at the provider, or was disabled there. */
  async logOut(logoutToken: string): Promise<number> {
    const { issuer, subject } = await this.provider.readLogout(logoutToken);
    const user = await this.accounts.find({ issuer, subject, account: undefined });
    if (!user) return 0;
    const revoked = await this.tokens.revokeOf(user.id);
    const event = { actor: `company:${subject}`, action: 'token revoke', subject: user.username };
    await this.audit.record({ ...event, outcome: 'success', details: { ...BY, revoked } });
    return revoked;
  }

  private async refuse(actor: string, clientAddress: string, reason: string): Promise<void> {
    const event = { actor, action: 'login', clientAddress, outcome: 'refused' } as const;
    await this.audit.record({ ...event, details: { ...BY, reason } });
  }
}
