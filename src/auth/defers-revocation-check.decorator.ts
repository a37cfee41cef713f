import { Catch, SetMetadata, UseFilters, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApplicationConfig } from '@nestjs/core';
import { statusOf } from '../http/server/error.filter.js';
import { Principal } from './current-user.decorator.js';
import { TokensService } from './tokens/tokens.service.js';

export const DEFERS_REVOCATION_CHECK = 'defersRevocationCheck';

/** Nest's keys are `<type>:<index>`. */
const RESPONSE_ARGUMENT = new RegExp(`^(${RouteParamtypes.RESPONSE}|${RouteParamtypes.NEXT}):`);

type Handler = (...args: unknown[]) => unknown;

/**
 * Lets a handler check the token's revocation in its own SQL statement and report it by `principal.confirm(live)`.
 *
 * A result without it becomes a 500, which `@Res()` and `@Next()` would bypass. See docs/performance.md#deferred-revocation.
 */
export function DefersRevocationCheck(): MethodDecorator {
  return (target, method, descriptor: PropertyDescriptor) => {
    const sources = Object.keys((Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, method) ?? {}) as object);
    if (sources.some((source) => RESPONSE_ARGUMENT.test(source)))
      throw new Error(
        `${target.constructor.name}.${String(method)}: @DefersRevocationCheck() excludes @Res() and @Next()`,
      );
    descriptor.value = requireConfirmation(descriptor.value as Handler);
    SetMetadata(DEFERS_REVOCATION_CHECK, true)(target, method, descriptor);
    UseFilters(DeferredRevocationFilter)(target, method, descriptor);
  };
}

/** Keeps the metadata of decorators applied before. */
function requireConfirmation(handler: Handler): Handler {
  const checked = async function (this: unknown, ...args: unknown[]): Promise<unknown> {
    const result = await handler.apply(this, args);
    if (args.some((arg) => arg instanceof Principal && arg.isConfirmed)) return result;
    throw new Error(`${handler.name} did not confirm that the token is live`);
  };
  for (const key of Reflect.getMetadataKeys(handler) as string[])
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), checked);
  return Object.defineProperty(checked, 'name', { value: handler.name });
}

/** Checks the revocation before a client error: 401 wins. */
@Catch()
class DeferredRevocationFilter implements ExceptionFilter {
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
