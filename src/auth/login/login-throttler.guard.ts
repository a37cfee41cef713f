import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request } from 'express';
import type { LoginConfig } from '../../config/login.config.js';
import { clientAddress, clientNetwork } from '../../http/adapter/client-address.decorator.js';
import type { Tracking } from '../../http/adapter/tracked-response.js';
import { LoginAudit } from './login-audit.js';
import {
  applies,
  keyOf,
  limitsOf,
  LoginAttemptsService,
  type LoginAttempt,
  type Throttler,
} from './login-attempts.service.js';
import { LoginDto } from './login.dto.js';
import { TooManyFailures } from './login.errors.js';

export interface LoginRequest extends Request {
  body: LoginDto;
  loginAttempt?: LoginAttempt;
}

const attemptOf = (context: ExecutionContext): LoginAttempt =>
  context.switchToHttp().getRequest<LoginRequest>().loginAttempt!;

/** The limits of failed logins, in the order in which they are asked. */
export function loginThrottlers(config: LoginConfig): ThrottlerModuleOptions {
  const throttlers = (['address', 'username', 'pair'] as const).map((name): ThrottlerOptions => ({
    ...limitsOf(name, config),
    getTracker: (request) => keyOf(name, (request as LoginRequest).loginAttempt!),
    skipIf: (context) => !applies(name, attemptOf(context)),
  }));
  return { throttlers, generateKey: (_context, tracker) => tracker, setHeaders: false };
}

/** Rejects logins under a lock: 429. Its throttlers and storage are provided by `AuthModule` for it alone. */
@Injectable()
export class LoginThrottlerGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly attempts: LoginAttemptsService,
    private readonly audit: LoginAudit,
  ) {
    super(options, storage, reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<LoginRequest>();
    const [address, network] = [clientAddress(request), clientNetwork(request)];
    const attempt = await this.attempts.begin(request.body, address, network);
    request.loginAttempt = attempt;
    http.getResponse<Tracking>().logFields['login'] = attempt.accountKey;
    try {
      return await super.canActivate(context);
    } catch (error) {
      attempt.settle(error as Error);
      throw error;
    }
  }

  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(attemptOf(context).shared !== undefined);
  }

  /** Counts the pair now, before its password is compared; the others are counted once the password was wrong. */
  protected override async handleRequest(options: ThrottlerRequest): Promise<boolean> {
    const attempt = attemptOf(options.context);
    const name = options.throttler.name as Throttler;
    const lockedSeconds = attempt[name];
    if (lockedSeconds !== null) {
      this.audit.locked();
      throw new TooManyFailures(lockedSeconds);
    }
    return name === 'pair' ? super.handleRequest(options) : true;
  }

  protected override async throwThrottlingException(
    context: ExecutionContext,
    { totalHits, limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<never> {
    if (totalHits === limit + 1) await this.audit.lock(attemptOf(context), 'pair');
    this.audit.locked();
    throw new TooManyFailures(timeToBlockExpire);
  }
}
