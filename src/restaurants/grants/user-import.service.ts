import { Injectable } from '@nestjs/common';
import { InvalidArgumentError } from 'commander';
import type { EntityManager } from 'typeorm';
import { forEachRow } from '../../admin/csv-table.js';
import { wholeNumber } from '../../admin/values.js';
import { CompanyAccountsService } from '../../auth/company/company-accounts.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import type { UserKind } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { GrantsService } from './grants.service.js';

/** A user that was added; `all` restaurants include future ones. */
export interface ImportedUser {
  readonly id: number;
  readonly username: string;
  readonly restaurants: 'all' | readonly number[];
  /** Empty for a person who signs in with a company account alone. */
  readonly password: string;
  /** Whether the file had no password, so that one was made. */
  readonly hasNewPassword: boolean;
}

const COLUMNS = {
  required: { username: String, restaurants: restaurantsOf },
  optional: { password: String, kind: kindOf, account: String },
};

/** Adds the users of a CSV file. */
@Injectable()
export class UserImportService {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly users: UsersService,
    private readonly grants: GrantsService,
    private readonly accounts: CompanyAccountsService,
  ) {}

  /** Adds users who cannot log in yet, or throws with the lines that are refused. */
  async add(file: string, transaction: EntityManager): Promise<ImportedUser[]> {
    const users: ImportedUser[] = [];
    await forEachRow(file, COLUMNS, async ({ username, restaurants, account, ...row }) => {
      const { kind = account === undefined ? 'till' : 'person' } = row;
      if (row.password !== undefined) await this.passwords.assertStrong(username, row.password);
      const user = await this.users.add(username, undefined, { kind, manager: transaction });
      if (account !== undefined) await this.accounts.link(user, account, transaction);
      const all = restaurants === 'all';
      const granted = { all, restaurantIds: all ? [] : restaurants };
      await this.grants.grant(username, granted, transaction);
      const hasNewPassword = row.password === undefined && account === undefined;
      const password = hasNewPassword ? this.passwords.generate() : (row.password ?? '');
      users.push({ id: user.id, username, restaurants, password, hasNewPassword });
    });
    return users;
  }

  /** Sets the passwords of added users. */
  async setPasswords(added: readonly ImportedUser[], transaction: EntityManager): Promise<void> {
    const hashing = added.map(({ password }) => password && this.passwords.hash(password));
    const hashes = await Promise.all(hashing); // on all threads
    for (const [index, { id }] of added.entries())
      if (hashes[index]) await this.users.setPasswordHash(id, hashes[index], transaction);
  }
}

function restaurantsOf(text: string): 'all' | number[] {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 1 && words[0] === 'all') return 'all';
  return [...new Set(words.map(wholeNumber))];
}

function kindOf(text: string): UserKind {
  if (text === 'till' || text === 'person') return text;
  throw new InvalidArgumentError('It must be till or person.');
}
