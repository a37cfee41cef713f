import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Counter } from 'prom-client';
import { type EntityManager, IsNull, Not, type Repository } from 'typeorm';
import { assertName, CommandRejected } from '../../admin/admin.errors.js';
import { AuditService } from '../../audit/audit.service.js';
import { PeopleConfig } from '../../config/people.config.js';
import type { ServiceError } from '../../http/errors/service-error.js';
import type { User } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { AccountDisabled } from '../login/login.errors.js';
import { TokensService } from '../tokens/tokens.service.js';
import type { CompanyLoginResponse } from './company.dto.js';
import {
  CompanyAccountUnknown,
  CompanyAddressUnverified,
  CompanyLoginNotOffered,
} from './company.errors.js';
import { CompanyAccount } from './company-account.entity.js';
import { type CompanyIdentity, CompanyProviderService } from './company-provider.service.js';

const BY = { by: 'company account' };

const companyLogins = new Counter({
  name: 'company_logins_total',
  help: 'Sign-ins with a company account by their outcome',
  labelNames: ['outcome'],
});
for (const outcome of ['success', 'refused', 'failure']) companyLogins.inc({ outcome }, 0);

/** Knows which person has which company account, and signs people in with it. */
@Injectable()
export class CompanyAccountsService {
  constructor(
    @InjectRepository(CompanyAccount) private readonly accounts: Repository<CompanyAccount>,
    private readonly provider: CompanyProviderService,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
    private readonly config: PeopleConfig,
  ) {}

  /** Signs in whom the provider has signed in: issues the token that a login gives. */
  async logIn(
    ticket: string,
    answer: string,
    clientAddress: string,
  ): Promise<CompanyLoginResponse> {
    const identity = await this.provider.complete(ticket, answer).catch((error: unknown) => {
      companyLogins.inc({ outcome: 'failure' }); // not audited: anybody could fill the log
      throw error;
    });
    const { subject, account, isUnverified } = identity;
    const user = await this.find(identity);
    if (!user) {
      const error = isUnverified ? new CompanyAddressUnverified() : new CompanyAccountUnknown();
      return this.refuse(error, `company:${subject}`, clientAddress, { account });
    }
    const event = { action: 'login', clientAddress, isByCompany: true };
    const issued = await this.tokens.issue(user, event);
    if (!issued) return this.refuse(new AccountDisabled(), `user:${user.id}`, clientAddress);
    companyLogins.inc({ outcome: 'success' });
    return Object.assign(issued, { username: user.username });
  }

  /** Ends the tokens of a person who has signed out at the provider, or was disabled there. */
  async logOut(logoutToken: string): Promise<number> {
    const identity = await this.provider.readLogout(logoutToken);
    const user = await this.find(identity);
    if (!user) return 0;
    const revoked = await this.tokens.revokeOf(user.id);
    const actor = `company:${identity.subject}`;
    const event = { actor, action: 'token revoke', subject: user.username } as const;
    await this.audit.record({ ...event, outcome: 'success', details: { ...BY, revoked } });
    return revoked;
  }

  /** Returns the names of the accounts that are linked, by the ids of their users. */
  async namesByUser(): Promise<ReadonlyMap<number, string>> {
    const linked = await this.accounts.find();
    return new Map(linked.map(({ userId, account }) => [userId, account]));
  }

  /** Links a person to an account in place of the one before; returns its name. */
  async link(
    { id: userId, kind }: User,
    name: string,
    transaction: EntityManager,
  ): Promise<string> {
    assertName('company account', name);
    const { COMPANY_LOGIN_ISSUER: issuer } = this.config;
    if (kind === 'till')
      throw new CommandRejected('a till has no company account: user set-kind first');
    if (issuer === '') throw new CompanyLoginNotOffered();
    const account = name.toLowerCase();
    if (await transaction.existsBy(CompanyAccount, { issuer, account, userId: Not(userId) }))
      throw new CommandRejected(`the company account "${account}" is linked to another user`);
    await transaction.delete(CompanyAccount, { userId });
    await transaction.insert(CompanyAccount, { userId, issuer, account, subject: null });
    return account;
  }

  /** Says whether there was a link. */
  async unlink({ id: userId }: User, transaction: EntityManager): Promise<boolean> {
    return (await transaction.delete(CompanyAccount, { userId })).affected === 1;
  }

  /** Finds a person by the subject of an identity, else by the account, and binds the subject. */
  private async find(identity: CompanyIdentity): Promise<User | undefined> {
    const { issuer, subject, account, isUnverified } = identity;
    let linked = await this.accounts.findOneBy({ issuer, subject });
    if (!linked && account !== undefined && !isUnverified) {
      await this.accounts.update({ issuer, account, subject: IsNull() }, { subject });
      linked = await this.accounts.findOneBy({ issuer, subject });
    }
    const user = linked && (await this.users.findById(linked.userId));
    return user?.kind === 'person' ? user : undefined;
  }

  /** Refuses somebody whom the provider has signed in, and records why. */
  private async refuse(
    error: ServiceError,
    actor: string,
    clientAddress: string,
    details: object = {},
  ): Promise<never> {
    companyLogins.inc({ outcome: 'refused' });
    const event = { actor, action: 'login', clientAddress, outcome: 'refused' } as const;
    await this.audit.record({
      ...event,
      details: { ...BY, reason: error.errorCode, ...details },
    });
    throw error;
  }
}
