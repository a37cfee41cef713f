import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import {
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerOptions,
} from '@nestjs/throttler';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-local';
import { LoginConfig } from '../../config/login.config.js';
import { clientAddress } from '../../http/adapter/client-address.decorator.js';
import type { TrackedResponse } from '../../http/adapter/tracked-response.js';
import { validateDto } from '../../http/validation/request.pipe.js';
import { PasswordsService } from '../../users/passwords.service.js';
import { LoginFailuresService, type LoginAttempt } from './login-failures.service.js';
import { LoginDto } from './login.dto.js';
import { LoginService } from './login.service.js';

/** `LocalAuthGuard` sets the user before anything else reads it. */
type LoginRequest = Request & { user: LoginAttempt };

/** Counts the attempts of a user at an address. `LoginService` takes back those that were right. */
@Injectable()
export class LoginThrottlerGuard extends ThrottlerGuard {
  constructor(
    // Without @Inject, Nest would inject what the constructor of ThrottlerGuard names.
    @Inject(LoginConfig) config: LoginConfig,
    @Inject(LoginFailuresService) private readonly failures: LoginFailuresService,
    reflector: Reflector,
  ) {
    const pair: ThrottlerOptions = {
      limit: config.LOGIN_MAX_FAILURES,
      ttl: config.LOGIN_WINDOW_SECONDS * 1000,
      blockDuration: config.LOGIN_LOCK_SECONDS * 1000,
      getTracker: (request) => (request as LoginRequest).user.pairKey,
      generateKey: (_context, pairKey) => pairKey,
      setHeaders: false,
    };
    super([pair], failures, reflector);
  }

  protected override async throwThrottlingException(
    context: ExecutionContext,
    { key, totalHits, limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<never> {
    const { user } = context.switchToHttp().getRequest<LoginRequest>();
    if (totalHits === limit + 1) await this.failures.recordLock('pair', key, limit, user);
    throw this.failures.locked(timeToBlockExpire);
  }
}

/** Compares the password of a login attempt, which the guard has found by the username. */
class LocalStrategy extends PassportStrategy(Strategy, 'local') {
  /** Name in passport's registry, which is per process: each application needs one of its own. */
  readonly registeredAs = `local ${randomUUID()}`;

  constructor(private readonly logins: LoginService) {
    super({ passReqToCallback: true });
    passport.use(this.registeredAs, this);
  }

  validate({ user }: LoginRequest, _username: string, password: string): Promise<LoginAttempt> {
    return this.logins.authenticate(user, password);
  }
}

/** Lets a login pass if it is well-formed (else 400), not locked (429), and right (401 or 403). */
@Injectable()
export class LocalAuthGuard extends AuthGuard() {
  /** Outcomes of the attempts in progress, by user, address and password. */
  private readonly inProgress = new Map<string, Promise<boolean>>();

  constructor(
    private readonly failures: LoginFailuresService,
    private readonly passwords: PasswordsService,
    private readonly throttler: LoginThrottlerGuard,
    logins: LoginService,
  ) {
    super({ defaultStrategy: new LocalStrategy(logins).registeredAs });
  }

  /** Identical attempts at the same moment share one outcome and count as one. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<LoginRequest>();
    // passport-local would reject a missing field with 401.
    const { username, password } = await validateDto(LoginDto, request.body);
    this.passwords.assertCapacity(true); // before the database is asked
    const attempt = await this.failures.findAttempt(username, clientAddress(request));
    request.user = attempt;
    http.getResponse<TrackedResponse>().logFields['login'] = attempt.accountKey;
    const key = JSON.stringify([attempt.pairKey, attempt.passwordHash, password]);
    const outcome =
      this.inProgress.get(key) ??
      this.authenticate(attempt, context).finally(() => this.inProgress.delete(key));
    this.inProgress.set(key, outcome);
    return outcome;
  }

  private async authenticate(attempt: LoginAttempt, context: ExecutionContext): Promise<boolean> {
    this.passwords.assertCapacity(attempt.isKnown);
    if (attempt.lockedSeconds !== null) throw this.failures.locked(attempt.lockedSeconds);
    await this.throttler.canActivate(context);
    return (await super.canActivate(context)) as boolean;
  }
}
