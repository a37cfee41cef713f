import { Injectable } from '@nestjs/common';
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { EntityManager } from 'typeorm';
import { AdminCommand, type Change } from '../../admin/admin-command.decorator.js';
import type { CommandResult } from '../../admin/command-result.js';
import { forEachRow } from '../../admin/csv-table.js';
import { wholeNumber } from '../../admin/values.js';
import { CompanyAccountsService } from '../../auth/company/company-accounts.service.js';
import { newPasswordsFile } from '../../users/new-passwords.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import type { UserKind } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import type { Selection } from '../restaurants.service.js';
import { GrantsService } from './grants.service.js';

const COLUMNS = {
  required: { username: String, restaurants: restaurantsOf },
  optional: { password: String, kind: kindOf, account: String },
};

interface AddedUser {
  readonly id: number;
  readonly username: string;
  readonly restaurants: Selection;
  /** Empty for a person who signs in with a company account alone. */
  readonly password: string;
  /** Whether the file had no password, so that one was made. */
  readonly has_new_password: boolean;
}

@Injectable()
export class UserImportCommands {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly users: UsersService,
    private readonly grants: GrantsService,
    private readonly accounts: CompanyAccountsService,
  ) {}

  @AdminCommand('user import', 'Add the users of a CSV file, all or none', {
    arguments: [
      new Argument('<file>', 'username,restaurants[,password][,kind][,account] in UTF-8'),
    ],
    options: [new Option('--passwords <file>', 'the new file for passwords where none is given')],
    dryRun: true,
  })
  async import(
    file: string,
    { passwords, transaction }: Change<{ readonly passwords?: string }>,
  ): Promise<CommandResult> {
    const added = await this.addAll(file, transaction);
    const made = added.filter((user) => user.has_new_password);
    const isFileMade = made.length > 0 && passwords !== undefined;
    const count = added.length === 1 ? '1 user' : `${added.length} users`;
    const hint = `new passwords of ${made.length} are in ${passwords}: hand them out and delete it`;
    return {
      text: isFileMade ? `${count} added; ${hint}` : `${count} added`,
      json: {
        users: added.map(({ username, restaurants, has_new_password }) => {
          return { username, restaurants, has_new_password };
        }),
        passwords: isFileMade ? passwords : null,
      },
      changes: added.map(({ username: subject, restaurants }) => {
        return { subject, details: { restaurants } };
      }),
      beforeCommit: async () => {
        const writePasswords = newPasswordsFile(made, passwords);
        await this.setPasswords(added, transaction);
        await writePasswords?.();
      },
    };
  }

  /** Adds users who cannot log in yet. */
  private async addAll(file: string, transaction: EntityManager): Promise<AddedUser[]> {
    const added: AddedUser[] = [];
    await forEachRow(file, COLUMNS, async ({ username, restaurants, account, ...row }) => {
      const { kind = account === undefined ? 'till' : 'person' } = row;
      if (row.password !== undefined) await this.passwords.assertStrong(username, row.password);
      const user = await this.users.add(username, undefined, { kind, manager: transaction });
      if (account !== undefined) await this.accounts.link(user, account, transaction);
      await this.grants.grant(username, restaurants, transaction);
      const has_new_password = row.password === undefined && account === undefined;
      const password = has_new_password ? this.passwords.generate() : (row.password ?? '');
      added.push({ id: user.id, username, restaurants, password, has_new_password });
    });
    return added;
  }

  private async setPasswords(added: readonly AddedUser[], transaction: EntityManager) {
    const hashing = added.map(async ({ password }) => password && this.passwords.hash(password));
    const hashes = await Promise.all(hashing); // on all threads
    for (const [index, { id }] of added.entries())
      if (hashes[index]) await this.users.setPasswordHash(id, hashes[index], transaction);
  }
}

function restaurantsOf(text: string): Selection {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 1 && words[0] === 'all') return 'all';
  return [...new Set(words.map(wholeNumber))];
}

function kindOf(text: string): UserKind {
  if (text === 'till' || text === 'person') return text;
  throw new InvalidArgumentError('It must be till or person.');
}
