import { Injectable } from '@nestjs/common';
import { InvalidArgumentError } from 'commander';
import type { EntityManager } from 'typeorm';
import { CommandRejected } from '../../admin/admin.errors.js';
import { forEachRow } from '../../admin/csv-table.js';
import { wholeNumber } from '../../admin/values.js';
import { CompanyAccountsService } from '../../auth/company/company-accounts.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import type { UserKind } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { GrantsService } from './grants.service.js';

/** A user that was added; `all` restaurants include future ones. */
export interface ImportedUser {
  readonly username: string;
  readonly restaurants: 'all' | readonly number[];
  /** Empty for a person who signs in with a company account alone. */
  readonly password: string;
  /** Whether the file had no password, so that one was made. */
  readonly hasNewPassword: boolean;
}

const COLUMNS = {
  required: ['username', 'restaurants'],
  optional: ['password', 'kind', 'account'],
} as const;

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
    await forEachRow(file, COLUMNS, async (row) => {
      const { username, password, account } = row.cells;
      const restaurants = row.parse('restaurants', restaurantsOf);
      const kind = account !== '' && row.cells.kind === '' ? 'person' : row.parse('kind', kindOf);
      const hasNewPassword = password === '' && account === '';
      if (password !== '') await this.passwords.assertStrong(username, password);
      await this.users.add(username, undefined, { kind, manager: transaction });
      if (account !== '' && kind === 'till')
        throw new CommandRejected('a till has no company account');
      if (account !== '') await this.accounts.link(username, account, transaction);
      const all = restaurants === 'all';
      await this.grants.grant(
        username,
        { all, restaurantIds: all ? [] : restaurants },
        transaction,
      );
      const made = hasNewPassword ? this.passwords.generate() : password;
      users.push({ username, restaurants, password: made, hasNewPassword });
    });
    return users;
  }

  /** Sets the passwords of added users. */
  async setPasswords(added: readonly ImportedUser[], transaction: EntityManager): Promise<void> {
    const users = added.filter(({ password }) => password !== '');
    const hashing = users.map(({ password }) => this.passwords.hash(password));
    const hashes = await Promise.all(hashing); // on all threads
    for (const [index, { username }] of users.entries()) {
      const { id } = await this.users.get(username, transaction);
      await this.users.setPasswordHash(id, hashes[index]!, transaction);
    }
  }
}

function restaurantsOf(text: string): 'all' | number[] {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 1 && words[0] === 'all') return 'all';
  return [...new Set(words.map(wholeNumber))];
}

function kindOf(text: string): UserKind {
  if (text === 'till' || text === 'person') return text;
  if (text === '') return 'till';
  throw new InvalidArgumentError('It must be till or person.');
}
