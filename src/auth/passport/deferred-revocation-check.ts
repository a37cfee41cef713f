import {
  Catch,
  HttpException,
  Injectable,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { tap, type Observable } from 'rxjs';
import { ServiceError } from '../../http/errors/service-error.js';
import type { Principal } from '../current-user.decorator.js';
import { TokensService } from '../tokens/tokens.service.js';

/** Sends nothing but 401 and 5xx from a `@DefersRevocationCheck()` route before the token was found live. */
@Catch()
@Injectable()
export class DeferredRevocationCheck implements ExceptionFilter, NestInterceptor {
  constructor(
    private readonly tokens: TokensService,
    private readonly application: ApplicationConfig,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const principal = principalOf(context);
    return next.handle().pipe(
      tap(() => {
        if (!principal?.isConfirmed) throw new Error('the handler did not confirm that the token is live');
      }),
    );
  }

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const principal = principalOf(host);
    const checkFirst = principal && !principal.isConfirmed && isClientError(thrown);
    const error = checkFirst ? await this.check(principal).then(() => thrown, (first: unknown) => first) : thrown; // prettier-ignore
    this.application.getGlobalFilters()[0]!.catch(error, host);
  }

  private async check(principal: Principal): Promise<void> {
    principal.confirm(await this.tokens.isLive(principal));
  }
}

/** undefined where the token guard rejected the request. */
function principalOf(host: ArgumentsHost): Principal | undefined {
  return host.switchToHttp().getRequest<{ user?: Principal }>().user;
}

function isClientError(thrown: unknown): boolean {
  const status =
    thrown instanceof ServiceError ? thrown.status : thrown instanceof HttpException ? thrown.getStatus() : 500;
  return status < 500 && status !== 401;
}
