import { Injectable } from '@nestjs/common';
import { Argument, Option } from 'commander';
import { UsageError } from '../../admin/admin.errors.js';
import { AdminCommand, type Change } from '../../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../../admin/command-result.js';
import { wholeNumbers } from '../../admin/values.js';
import { LoginFailuresService } from '../../auth/login/login-failures.service.js';
import { newPasswordsFile } from '../../users/new-passwords.service.js';
import { UserCommand } from '../../users/user-command.decorator.js';
import { type GrantedUser, GrantsService } from './grants.service.js';
import { UserImportService } from './user-import.service.js';

const IDS = new Argument('[restaurantIds...]', 'the ids of the restaurants').argParser(
  wholeNumbers,
);

type GrantOptions = Change<{ readonly all?: boolean }>;
type ImportOptions = Change<{ readonly passwords?: string; readonly dryRun?: boolean }>;

@Injectable()
export class UserGrantCommands {
  constructor(
    private readonly grants: GrantsService,
    private readonly imports: UserImportService,
    private readonly failures: LoginFailuresService,
  ) {}

  @AdminCommand('user list', 'List the users and how many restaurants each may upload for', {
    readOnly: true,
  })
  async list(): Promise<CommandResult> {
    const locks = await this.failures.listLocks();
    const json = (await this.grants.list()).map((granted) => {
      const { endsAt = null, network = null } = locks.get(granted.user.id) ?? {};
      return { ...asJson(granted), locked_until: endsAt, locked_network: network };
    });
    const rows = json.map(({ username, kind, created_at, ...user }) => {
      const where = user.locked_network ? ` at ${user.locked_network}` : '';
      const until = user.locked_until?.toISOString().slice(0, 16);
      const isLocked = until !== undefined && user.status === 'enabled';
      const status = isLocked ? `locked${where} until ${until}Z` : user.status;
      // A password alone should not open all restaurants.
      const all = kind === 'till' ? 'all (is it a person?)' : 'all';
      const restaurants = user.all_restaurants ? all : user.restaurant_ids.length;
      return [username, status, kind, restaurants, created_at];
    });
    const head = ['USERNAME', 'STATUS', 'KIND', 'RESTAURANTS', 'CREATED'];
    return { text: formatTable(head, rows), json };
  }

  @UserCommand('user grant', 'Let a user upload for these restaurants; earlier grants stay', {
    arguments: [IDS],
    options: [new Option('--all', 'for all restaurants, including future ones')],
  })
  grant(username: string, ids: number[], options: GrantOptions): Promise<CommandResult> {
    return this.change('grant', username, ids, options);
  }

  @UserCommand('user ungrant', 'Remove the right of a user to upload for these restaurants', {
    arguments: [IDS],
    options: [new Option('--all', 'everything that was granted to the user')],
  })
  ungrant(username: string, ids: number[], options: GrantOptions): Promise<CommandResult> {
    return this.change('ungrant', username, ids, options);
  }

  /** Reports what is granted afterwards: to ungrant 101 from a user with all changes nothing. */
  private async change(
    change: 'grant' | 'ungrant',
    username: string,
    restaurantIds: number[],
    { all = false, transaction }: GrantOptions,
  ): Promise<CommandResult> {
    if (restaurantIds.length === 0 && !all)
      throw new UsageError('name the restaurants, or give --all');
    const granted = await this.grants[change](username, { restaurantIds, all }, transaction);
    const json = asJson(granted);
    const ids = json.restaurant_ids.join(', ') || 'no restaurant';
    const restaurants = json.all_restaurants ? 'all restaurants' : ids;
    return { text: `user "${username}" may upload for ${restaurants}`, json };
  }

  @AdminCommand('user import', 'Add the users of a CSV file, all or none', {
    arguments: [
      new Argument('<file>', 'username,restaurants[,password][,kind][,account] in UTF-8'),
    ],
    options: [
      new Option('--passwords <file>', 'the new file for passwords where none is given'),
      new Option('--dry-run', 'check the file, and save nothing'),
    ],
  })
  async importUsers(
    file: string,
    { passwords, dryRun: dry_run = false, transaction }: ImportOptions,
  ): Promise<CommandResult> {
    await transaction.query('SAVEPOINT unchanged');
    const added = await this.imports.add(file, transaction);
    const count = added.length === 1 ? '1 user' : `${added.length} users`;
    const users = added.map(({ username, restaurants, hasNewPassword }) => {
      return { username, restaurants, has_new_password: hasNewPassword };
    });
    if (dry_run) {
      await transaction.query('ROLLBACK TO unchanged');
      const text = `${count} would be added; nothing was saved`;
      return { text, json: { dry_run, users, passwords: null } };
    }
    const made = added.filter(({ hasNewPassword }) => hasNewPassword);
    const beforeCommit = newPasswordsFile(made, passwords);
    await this.imports.setPasswords(added, transaction);
    const hint = `; new passwords of ${made.length} are in ${passwords}: hand them out and delete it`;
    return {
      text: `${count} added${beforeCommit ? hint : ''}`,
      json: { dry_run, users, passwords: beforeCommit ? passwords : null },
      changes: users.map(({ username, restaurants }) => {
        return { subject: username, details: { restaurants } };
      }),
      beforeCommit,
    };
  }
}

function asJson({ user, restaurantIds }: GrantedUser) {
  return {
    username: user.username,
    kind: user.kind,
    status: user.disabledAt === null ? 'enabled' : 'disabled',
    all_restaurants: user.allRestaurants,
    restaurant_ids: restaurantIds,
    created_at: user.createdAt,
  };
}
