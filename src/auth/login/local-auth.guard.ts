import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { clientAddress } from '../../http/adapter/client-address.decorator.js';
import type { TrackedResponse } from '../../http/adapter/tracked-response.js';
import { validateDto } from '../../http/validation/request.pipe.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { LocalStrategy } from './local.strategy.js';
import { LoginFailuresService, type LoginAttempt } from './login-failures.service.js';
import { LoginThrottlerGuard, type LoginRequest } from './login-throttler.guard.js';
import { LoginDto } from './login.dto.js';

/** Lets a login pass if it is well-formed (else 400), not locked (429), and right (401 or 403). */
@Injectable()
export class LocalAuthGuard extends AuthGuard() {
  /** Outcomes of the attempts in progress, by user, address and password. */
  private readonly inProgress = new Map<string, Promise<void>>();

  constructor(
    private readonly failures: LoginFailuresService,
    private readonly passwords: PasswordsService,
    private readonly throttler: LoginThrottlerGuard,
    strategy: LocalStrategy,
  ) {
    super({ defaultStrategy: strategy.registeredAs });
  }

  /** Identical attempts at the same moment share one outcome and count as one. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<LoginRequest>();
    // passport-local would reject a missing field with 401.
    const { username, password } = await validateDto(LoginDto, request.body);
    this.passwords.assertCapacity(true); // the database is not asked in vain
    const attempt = await this.failures.findAttempt(username, clientAddress(request));
    http.getResponse<TrackedResponse>().logFields['login'] = attempt.accountKey;
    request.loginAttempt = attempt;
    const key = JSON.stringify([attempt.pairKey, attempt.passwordHash, password]);
    const outcome =
      this.inProgress.get(key) ??
      this.authenticate(attempt, context).finally(() => this.inProgress.delete(key));
    this.inProgress.set(key, outcome);
    await outcome;
    request.user = attempt; // passport has set it only on the request that was authenticated
    return true;
  }

  private async authenticate(attempt: LoginAttempt, context: ExecutionContext): Promise<void> {
    this.passwords.assertCapacity(attempt.isKnown);
    if (attempt.lockedSeconds !== null) throw this.failures.locked(attempt.lockedSeconds);
    await this.throttler.canActivate(context);
    await super.canActivate(context);
  }
}
