import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Not, type Repository } from 'typeorm';
import { assertName, CommandRejected } from '../../admin/admin.errors.js';
import { PeopleConfig } from '../../config/people.config.js';
import type { User } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { CompanyLoginNotOffered } from './company.errors.js';
import { CompanyAccount } from './company-account.entity.js';
import type { CompanyIdentity } from './company-provider.service.js';

/** Knows which person has which company account. */
@Injectable()
export class CompanyAccountsService {
  constructor(
    @InjectRepository(CompanyAccount) private readonly accounts: Repository<CompanyAccount>,
    private readonly users: UsersService,
    private readonly config: PeopleConfig,
  ) {}

  /** Finds a person by the subject of an identity, else binds the account that was linked for it. */
  async find(identity: CompanyIdentity): Promise<User | undefined> {
    const { issuer, subject, account, isUnverified } = identity;
    let linked = await this.accounts.findOneBy({ issuer, subject });
    if (!linked && account !== undefined && !isUnverified) {
      await this.accounts.update({ issuer, account, subject: IsNull() }, { subject });
      linked = await this.accounts.findOneBy({ issuer, subject });
    }
    const user = linked && (await this.users.findById(linked.userId));
    return user?.kind === 'person' ? user : undefined;
  }

  /** Links a person to an account in place of the one before. */
  async link(username: string, name: string, transaction: EntityManager): Promise<string> {
    assertName('company account', name);
    const user = await this.users.getLocked(username, transaction);
    const { COMPANY_LOGIN_ISSUER: issuer } = this.config;
    if (user.kind === 'till')
      throw new CommandRejected(`"${username}" is a till: user set-kind first`);
    if (issuer === '') throw new CompanyLoginNotOffered();
    const [userId, account] = [user.id, name.toLowerCase()];
    if (await transaction.existsBy(CompanyAccount, { issuer, account, userId: Not(userId) }))
      throw new CommandRejected(`the company account "${account}" is linked to another user`);
    await transaction.delete(CompanyAccount, { userId });
    await transaction.insert(CompanyAccount, { userId, issuer, account, subject: null });
    return account;
  }

  /** Says whether there was a link. */
  async unlink(userId: number, transaction: EntityManager): Promise<boolean> {
    return (await transaction.delete(CompanyAccount, { userId })).affected === 1;
  }
}
