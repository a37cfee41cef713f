import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { statusOf } from '../../http/server/error.filter.js';
import type { Principal } from '../current-user.decorator.js';
import { TokensService } from '../tokens/tokens.service.js';

/** Checks the revocation before a client error: 401 wins. */
@Catch()
export class DeferredRevocationFilter implements ExceptionFilter {
  constructor(
    private readonly tokens: TokensService,
    private readonly application: ApplicationConfig,
  ) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const { user } = host.switchToHttp().getRequest<{ user?: Principal }>();
    const error =
      user && !user.isConfirmed && isClientError(statusOf(thrown)) ? await this.firstError(user, thrown) : thrown;
    this.application.getGlobalFilters()[0]!.catch(error, host);
  }

  private async firstError(principal: Principal, thrown: unknown): Promise<unknown> {
    try {
      principal.confirm(await this.tokens.isLive(principal));
      return thrown;
    } catch (first) {
      return first;
    }
  }
}

function isClientError(status: number): boolean {
  return status < 500 && status !== 401;
}
