import { applyDecorators, SetMetadata, UseFilters, UseInterceptors } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DeferredRevocationCheck } from './passport/deferred-revocation-check.js';

export const DEFERS_REVOCATION_CHECK = 'defersRevocationCheck';

const RESPONSE_ARGUMENTS = [RouteParamtypes.RESPONSE, RouteParamtypes.NEXT];

/**
 * Lets a handler check the token's revocation within its own SQL statement, which saves a round trip per request.
 *
 * The handler must report the outcome with `principal.confirm(live)`. `DeferredRevocationCheck` fails closed: it checks
 * before any client error is sent, and turns a success that was not confirmed into a 500. A handler that writes to the
 * response itself would bypass that, so `@Res()` and `@Next()` are rejected.
 */
export function DefersRevocationCheck(): MethodDecorator {
  const decorate = applyDecorators(
    SetMetadata(DEFERS_REVOCATION_CHECK, true),
    UseFilters(DeferredRevocationCheck),
    UseInterceptors(DeferredRevocationCheck),
  );
  return (target, method, descriptor) => {
    const sources = Object.keys((Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, method) ?? {}) as object);
    if (sources.some((source) => RESPONSE_ARGUMENTS.includes(Number(source.split(':')[0]))))
      throw new Error(
        `${target.constructor.name}.${String(method)}: @DefersRevocationCheck() excludes @Res() and @Next()`,
      );
    decorate(target, method, descriptor);
  };
}
