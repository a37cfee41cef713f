import { Injectable } from '@nestjs/common';
import { Argument, Option } from 'commander';
import { UsageError } from '../admin/admin.errors.js';
import type { Change } from '../admin/admin-command.decorator.js';
import type { CommandResult } from '../admin/command-result.js';
import { newPasswordsFile } from '../users/new-passwords.service.js';
import { PasswordsService } from '../users/passwords.service.js';
import type { UserKind } from '../users/user.entity.js';
import { forEachUser, UserCommand, UsersCommand } from '../users/user-command.decorator.js';
import { UsersService } from '../users/users.service.js';
import { CompanyAccountsService } from './company/company-accounts.service.js';
import { LoginFailuresService } from './login/login-failures.service.js';
import { SecondFactorService } from './login/second-factor.service.js';
import { TokensService } from './tokens/tokens.service.js';

const ACCOUNT = new Option(
  '--account <account>',
  'what the claim of COMPANY_LOGIN_CLAIM says, such as an e-mail address',
).makeOptionMandatory();

type PasswordChange = Change<{
  readonly password: string;
  readonly generate?: boolean;
  readonly passwords?: string;
}>;

/** Commands for what lets users in, which they lose when their account is disabled. */
@Injectable()
export class UserAccessCommands {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly tokens: TokensService,
    private readonly failures: LoginFailuresService,
    private readonly accounts: CompanyAccountsService,
    private readonly secondFactors: SecondFactorService,
  ) {}

  @UsersCommand('user disable', 'Disable users and revoke their tokens')
  disable(usernames: string[], { transaction }: Change): Promise<CommandResult> {
    return forEachUser(usernames, async (username) => {
      const { id } = await this.users.getLocked(username, transaction);
      const revoked = await this.tokens.revokeOf(id, {}, transaction);
      await this.users.setDisabled(username, true, transaction);
      const text = `user "${username}" disabled, ${tokensText(revoked)} revoked`;
      return { text, json: { username, status: 'disabled', revoked } };
    });
  }

  @UserCommand('user unlock', 'Remove the locks after failed logins')
  async unlock(username: string, { transaction }: Change): Promise<CommandResult> {
    const { id } = await this.users.get(username, transaction);
    await this.failures.unlock(id, transaction);
    return { text: `user "${username}" unlocked`, json: { username } };
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
    const result = await forEachUser(usernames, async (username) => {
      const { id } = await this.users.getLocked(username, transaction);
      const revoked = await this.tokens.revokeOf(id, {}, transaction);
      await this.users.setPasswordHash(id, hashes[usernames.indexOf(username)]!, transaction);
      const text = `password of user "${username}" set, ${tokensText(revoked)} revoked`;
      return { text, json: { username, revoked } };
    });
    return { ...result, beforeCommit };
  }

  @UsersCommand('token revoke', 'Revoke all tokens of users')
  revoke(usernames: string[], { transaction }: Change): Promise<CommandResult> {
    return forEachUser(usernames, async (username) => {
      const { id } = await this.users.get(username, transaction);
      await this.failures.forgetAddresses(id, transaction); // an attacker may have used them
      const revoked = await this.tokens.revokeOf(id, {}, transaction);
      const text = `${tokensText(revoked)} of user "${username}" revoked`;
      return { text, json: { username, revoked } };
    });
  }

  @UserCommand('user set-kind', 'Say whether a user is a till or a person', {
    arguments: [new Argument('<kind>').choices(['till', 'person'])],
  })
  async setKind(username: string, kind: UserKind, { transaction }: Change): Promise<CommandResult> {
    const user = await this.users.getLocked(username, transaction);
    await this.users.update(user, { kind }, transaction);
    if (kind === 'till') await this.accounts.unlink(user.id, transaction);
    return { text: `user "${username}" is a ${kind}`, json: { username, kind } };
  }

  @UserCommand('user link', 'Let a person sign in with a company account', { options: [ACCOUNT] })
  async link(username: string, options: Change<{ account: string }>): Promise<CommandResult> {
    const account = await this.accounts.link(username, options.account, options.transaction);
    const text = `user "${username}" signs in with the company account "${account}"`;
    return { text, json: { username, account } };
  }

  @UserCommand('user unlink', 'Take the company account from a person, and revoke its tokens')
  async unlink(username: string, { transaction }: Change): Promise<CommandResult> {
    const { id } = await this.users.getLocked(username, transaction);
    const unlinked = await this.accounts.unlink(id, transaction);
    const revoked = await this.tokens.revokeOf(id, {}, transaction);
    const text = `user "${username}" has no company account${unlinked ? ' any more' : ''}`;
    return { text, json: { username, unlinked, revoked } };
  }

  @UserCommand('user reset-second-factor', 'Forget the lost phone of a person, and end its tokens')
  async resetSecondFactor(username: string, { transaction }: Change): Promise<CommandResult> {
    const { id } = await this.users.getLocked(username, transaction);
    const removed = await this.secondFactors.remove(id, transaction);
    const revoked = removed ? await this.tokens.revokeOf(id, {}, transaction) : 0;
    const text = `second factor of user "${username}" ${removed ? 'removed' : 'was not set up'}, ${tokensText(revoked)} revoked`;
    return { text, json: { username, removed, revoked } };
  }

  @UserCommand(
    'user anonymize',
    'Disable a user who left for good, and forget its name, password and addresses',
  )
  async anonymize(username: string, { transaction }: Change): Promise<CommandResult> {
    const user = await this.users.getLocked(username, transaction);
    const revoked = await this.tokens.revokeOf(user.id, {}, transaction);
    await this.secondFactors.remove(user.id, transaction);
    await this.accounts.unlink(user.id, transaction);
    const name = await this.users.anonymize(user, transaction); // a trigger forgets the addresses
    const text = `user "${username}" is now called "${name}" and disabled, ${tokensText(revoked)} revoked`;
    return { text, json: { username: name, status: 'disabled', revoked } };
  }
}

function tokensText(count: number): string {
  return count === 1 ? '1 token' : `${count} tokens`;
}
