import { Injectable } from '@nestjs/common';
import { Option } from 'commander';
import type { Change } from '../admin/admin-command.decorator.js';
import type { CommandResult } from '../admin/command-result.js';
import { UserCommand } from '../users/user-command.decorator.js';
import { UsersService } from '../users/users.service.js';
import { CompanyAccountsService } from './company/company-accounts.service.js';
import { SecondFactorService } from './login/second-factor.service.js';
import { TokensService } from './tokens/tokens.service.js';
import { tokensText } from './tokens/tokens-text.js';

/** Commands for second factors and company accounts of people, and for those who leave. */
@Injectable()
export class PeopleCommands {
  constructor(
    private readonly accounts: CompanyAccountsService,
    private readonly secondFactors: SecondFactorService,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
  ) {}

  @UserCommand('user link', 'Let a person sign in with a company account', {
    options: [
      new Option(
        '--account <account>',
        'what the claim of COMPANY_LOGIN_CLAIM says, such as an e-mail address',
      ).makeOptionMandatory(),
    ],
  })
  async link(
    username: string,
    { account: name, transaction }: Change<{ account: string }>,
  ): Promise<CommandResult> {
    const account = await this.accounts.link(username, name, transaction);
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
    const revoked = await this.tokens.revokeOf(id, {}, transaction);
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
