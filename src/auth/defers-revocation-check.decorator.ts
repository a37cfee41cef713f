import { SetMetadata, UseFilters } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Principal } from './current-user.decorator.js';
import { DeferredRevocationFilter } from './passport/deferred-revocation.filter.js';

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
