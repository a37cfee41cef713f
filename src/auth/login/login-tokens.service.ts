import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { UsersService } from '../../users/users.service.js';
import { type IssuedToken, TokensService } from '../tokens/tokens.service.js';
import { LoginService } from './login.service.js';
import { logins, type RightLogin } from './login-failures.service.js';

/** A token, and what a person is told at a login. */
export interface Login extends IssuedToken {
  readonly told?: {
    readonly lastLoginAt: Date | null;
    readonly lastLoginAddress: string | null;
    readonly failedSince: number;
    readonly passwordChangedAt: Date | null;
  };
}

/** Issues the tokens of right logins. */
@Injectable()
export class LoginTokensService {
  constructor(
    private readonly logins: LoginService,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

  async issue(login: RightLogin): Promise<Login> {
    const { id, isPerson, passwordChangedAt, clientAddress } = login;
    const last = isPerson ? await this.audit.findLastLogin(id) : undefined;
    const issued = await this.tokens.issue(login, { action: 'login', clientAddress });
    if (!issued) {
      const isDisabled = await this.users.isDisabled(id);
      return this.logins.refuse(login, isDisabled ? 'account disabled' : 'password changed');
    }
    logins.inc({ outcome: 'success' });
    return last ? { ...issued, told: { ...last, passwordChangedAt } } : issued;
  }
}
