import { Injectable } from '@nestjs/common';
import { Argument, Option } from 'commander';
import type { EntityManager } from 'typeorm';
import { UsageError } from '../admin/admin.errors.js';
import type { Change } from '../admin/admin-command.decorator.js';
import type { CommandResult } from '../admin/command-result.js';
import { newPasswordsFile } from '../users/new-passwords.service.js';
import { PasswordsService } from '../users/passwords.service.js';
import type { User, UserKind } from '../users/user.entity.js';
import { UserCommand, UsersCommand } from '../users/user-command.decorator.js';
import { UsersService } from '../users/users.service.js';
import { CompanyAccountsService } from './company/company-accounts.service.js';
import { LoginFailuresService } from './login/login-failures.service.js';
import { SecondFactorService } from './login/second-factor.service.js';
import { TokensService } from './tokens/tokens.service.js';

const ACCOUNT = new Option(
  '--account <account>',
  'what the claim of COMPANY_LOGIN_CLAIM says, such as an e-mail address',
).makeOptionMandatory();

type NewUser = Change<{
  readonly password?: string;
  readonly person?: boolean;
  readonly withoutPassword?: boolean;
}>;

type PasswordChange = Change<{
  readonly password: string;
  readonly generate?: boolean;
  readonly passwords?: string;
}>;

/** What a command has made of a user: a text for people, and what else programs read of it. */
interface Changed {
  /** What follows the username, such as `disabled`. */
  readonly text: string;
  /** How many tokens were revoked; the text says it too. */
  readonly revoked?: number;
}

/** Commands for accounts and for what lets users in. */
@Injectable()
export class UsersCommands {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
    private readonly failures: LoginFailuresService,
    private readonly accounts: CompanyAccountsService,
    private readonly secondFactors: SecondFactorService,
  ) {}

  @UserCommand('user add', 'Make a user, who may upload for no restaurant yet', {
    readsPassword: true,
    options: [
      new Option('--person', 'a person, who has to change the password, and not a till'),
      new Option('--without-password', 'for a person who signs in with a company account'),
    ],
  })
  async add(username: string, options: NewUser): Promise<CommandResult> {
    const { person, withoutPassword, password, transaction: manager } = options;
    if (withoutPassword && !person) throw new UsageError('--without-password needs --person');
    if (password !== undefined) await this.passwords.assertStrong(username, password);
    const kind = person ? 'person' : 'till';
    await this.users.add(username, password, { kind, manager });
    return { text: `user "${username}" added`, json: { username, kind } };
  }

  @UserCommand('user rename', 'Rename a user; its tokens, restaurants and uploads stay', {
    options: [new Option('--name <name>', 'the new login name').makeOptionMandatory()],
  })
  rename(
    username: string,
    { name, transaction }: Change<{ name: string }>,
  ): Promise<CommandResult> {
    return this.change([username], transaction, async (user) => {
      await this.users.rename(user, name, transaction);
      return { text: `is now called "${name}"`, username: name, username_before: username };
    });
  }

  @UsersCommand('user enable', 'Enable disabled users')
  enable(usernames: string[], { transaction }: Change): Promise<CommandResult> {
    return this.change(usernames, transaction, async (user) => {
      await this.users.setDisabled(user, false, transaction);
      return { text: 'enabled', status: 'enabled' };
    });
  }

  @UsersCommand('user disable', 'Disable users and revoke their tokens')
  disable(usernames: string[], { transaction }: Change): Promise<CommandResult> {
    return this.change(usernames, transaction, async (user) => {
      const revoked = await this.tokens.revokeOf(user.id, {}, transaction);
      await this.users.setDisabled(user, true, transaction);
      return { text: 'disabled', status: 'disabled', revoked };
    });
  }

  @UserCommand('user unlock', 'Remove the locks after failed logins')
  unlock(username: string, { transaction }: Change): Promise<CommandResult> {
    return this.change([username], transaction, async ({ id }) => {
      await this.failures.unlock(id, transaction);
      return { text: 'unlocked' };
    });
  }

  @UsersCommand(
    'user set-password',
    "Set users' passwords and revoke the tokens issued for the old ones",
    {
      readsPassword: true,
      options: [
        new Option('--generate', 'make a password for each user, in place of reading one'),
        new Option('--passwords <file>', 'the new file for passwords that are made'),
      ],
    },
  )
  async setPasswords(given: string[], options: PasswordChange): Promise<CommandResult> {
    const { password, generate, passwords: file, transaction } = options;
    const usernames = [...new Set(given)];
    if (!generate && (usernames.length > 1 || file !== undefined))
      throw new UsageError('several users, and --passwords, need --generate');
    const made = usernames.map((username) => {
      return { username, password: generate ? this.passwords.generate() : password };
    });
    const beforeCommit = newPasswordsFile(generate ? made : [], file);
    for (const { username, password: each } of made) {
      await this.users.get(username, transaction);
      await this.passwords.assertStrong(username, each);
    }
    const hashing = made.map(({ password: each }) => this.passwords.hash(each));
    const hashes = await Promise.all(hashing); // before the users are locked
    const result = await this.change(usernames, transaction, async ({ id, username }) => {
      const revoked = await this.tokens.revokeOf(id, {}, transaction);
      await this.users.setPasswordHash(id, hashes[usernames.indexOf(username)]!, transaction);
      return { text: 'has a new password', revoked };
    });
    return { ...result, beforeCommit };
  }

  @UsersCommand('token revoke', 'Revoke all tokens of users')
  revoke(usernames: string[], { transaction }: Change): Promise<CommandResult> {
    return this.change(usernames, transaction, async ({ id }) => {
      await this.failures.forgetAddresses(id, transaction); // an attacker may have used them
      const revoked = await this.tokens.revokeOf(id, {}, transaction);
      return { text: 'has to log in again', revoked };
    });
  }

  @UserCommand('user set-kind', 'Say whether a user is a till or a person', {
    arguments: [new Argument('<kind>').choices(['till', 'person'])],
  })
  setKind(username: string, kind: UserKind, { transaction }: Change): Promise<CommandResult> {
    return this.change([username], transaction, async (user) => {
      await this.users.update(user, { kind }, transaction);
      if (kind === 'till') await this.accounts.unlink(user, transaction);
      return { text: `is a ${kind}`, kind };
    });
  }

  @UserCommand('user link', 'Let a person sign in with a company account', { options: [ACCOUNT] })
  link(
    username: string,
    { account: given, transaction }: Change<{ account: string }>,
  ): Promise<CommandResult> {
    return this.change([username], transaction, async (user) => {
      const account = await this.accounts.link(user, given, transaction);
      return { text: `signs in with the company account "${account}"`, account };
    });
  }

  @UserCommand('user unlink', 'Take the company account from a person, and revoke its tokens')
  unlink(username: string, { transaction }: Change): Promise<CommandResult> {
    return this.change([username], transaction, async (user) => {
      const unlinked = await this.accounts.unlink(user, transaction);
      const revoked = await this.tokens.revokeOf(user.id, {}, transaction);
      return { text: `has no company account${unlinked ? ' any more' : ''}`, unlinked, revoked };
    });
  }

  @UserCommand('user reset-second-factor', 'Forget the lost phone of a person, and end its tokens')
  resetSecondFactor(username: string, { transaction }: Change): Promise<CommandResult> {
    return this.change([username], transaction, async ({ id }) => {
      const removed = await this.secondFactors.remove(id, transaction);
      const revoked = removed ? await this.tokens.revokeOf(id, {}, transaction) : 0;
      return { text: `has no second factor${removed ? ' any more' : ''}`, removed, revoked };
    });
  }

  @UserCommand(
    'user anonymize',
    'Disable a user who left for good, and forget its name, password and addresses',
  )
  anonymize(username: string, { transaction }: Change): Promise<CommandResult> {
    return this.change([username], transaction, async (user) => {
      const revoked = await this.tokens.revokeOf(user.id, {}, transaction);
      await this.secondFactors.remove(user.id, transaction);
      await this.accounts.unlink(user, transaction);
      const name = await this.users.anonymize(user, transaction); // a trigger forgets the addresses
      const text = `is now called "${name}" and disabled`;
      return { text, username: name, status: 'disabled', revoked };
    });
  }

  /**
   * Changes users one after another, all or none; each of several gets an event of its own. Nobody
   * else changes a user, nor does it log in, until the transaction ends.
   */
  private async change(
    usernames: readonly string[],
    transaction: EntityManager,
    changeOne: (user: User) => Promise<Changed>,
  ): Promise<CommandResult> {
    const [texts, jsons]: [string[], object[]] = [[], []];
    for (const username of usernames) {
      const { text, ...json } = await changeOne(await this.users.getLocked(username, transaction));
      texts.push(`user "${username}" ${text}${revokedText(json)}`);
      jsons.push({ username, ...json });
    }
    const changes = usernames.map((subject) => ({ subject }));
    return { text: texts.join('\n'), json: jsons.length > 1 ? jsons : jsons[0], changes };
  }
}

function revokedText({ revoked }: Pick<Changed, 'revoked'>): string {
  if (revoked === undefined) return '';
  return revoked === 1 ? ', 1 token revoked' : `, ${revoked} tokens revoked`;
}
