import { Injectable } from '@nestjs/common';
import { Argument, Option } from 'commander';
import { UsageError } from '../../admin/admin.errors.js';
import { AdminCommand, type Change } from '../../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../../admin/command-result.js';
import { wholeNumbers } from '../../admin/values.js';
import { CompanyAccountsService } from '../../auth/company/company-accounts.service.js';
import { LoginFailuresService } from '../../auth/login/login-failures.service.js';
import { UserCommand } from '../../users/user-command.decorator.js';
import { type GrantedUser, GrantsService } from './grants.service.js';

const IDS = new Argument('[restaurantIds...]', 'the ids of the restaurants').argParser(
  wholeNumbers,
);

type GrantOptions = Change<{ readonly all?: boolean }>;

@Injectable()
export class UserGrantCommands {
  constructor(
    private readonly grants: GrantsService,
    private readonly failures: LoginFailuresService,
    private readonly accounts: CompanyAccountsService,
  ) {}

  @AdminCommand('user list', 'List the users and how many restaurants each may upload for', {
    readOnly: true,
  })
  async list(): Promise<CommandResult> {
    const locks = await this.failures.listLocks();
    const accounts = await this.accounts.namesByUser();
    const json = (await this.grants.list()).map((granted) => {
      const { id } = granted.user;
      const { endsAt = null, network = null } = locks.get(id) ?? {};
      const locked = { locked_until: endsAt, locked_network: network };
      return { ...asJson(granted), ...locked, company_account: accounts.get(id) ?? null };
    });
    const rows = json.map(({ username, kind, created_at, ...user }) => {
      const where = user.locked_network ? ` at ${user.locked_network}` : '';
      const until = user.locked_until?.toISOString().slice(0, 16);
      const isLocked = until !== undefined && user.status === 'enabled';
      const status = isLocked ? `locked${where} until ${until}Z` : user.status;
      // A password alone should not open all restaurants.
      const all = kind === 'till' ? 'all (is it a person?)' : 'all';
      const restaurants = user.all_restaurants ? all : user.restaurant_ids.length;
      return [username, status, kind, restaurants, created_at, user.company_account ?? ''];
    });
    const head = ['USERNAME', 'STATUS', 'KIND', 'RESTAURANTS', 'CREATED', 'COMPANY ACCOUNT'];
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
    ids: number[],
    { all = false, transaction }: GrantOptions,
  ): Promise<CommandResult> {
    if (ids.length === 0 && !all) throw new UsageError('name the restaurants, or give --all');
    const granted = await this.grants[change](username, all ? 'all' : ids, transaction);
    const json = asJson(granted);
    const some = json.restaurant_ids.join(', ') || 'no restaurant';
    const restaurants = json.all_restaurants ? 'all restaurants' : some;
    return { text: `user "${username}" may upload for ${restaurants}`, json };
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
