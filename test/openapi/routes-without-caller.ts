import type { Type } from '@nestjs/common';
import { GUARDS_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { CurrentUser, type Principal } from '../../src/auth/tokens/current-user.decorator.js';
import { IS_PUBLIC } from '../../src/http/public.decorator.js';

/** What decorates the parameters of a handler. */
function factoriesOf(controller: object, method: string): unknown[] {
  const taken: Record<string, { factory?: unknown }> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {};
  return Object.values(taken).flatMap(({ factory }) => factory ?? []);
}

class Example {
  route(@CurrentUser() user: Principal): Principal {
    return user;
  }
}
const [CURRENT_USER] = factoriesOf(Example, 'route');

/** Lists the routes of users that neither take the caller nor have a guard of their own. */
export function routesWithoutCaller(controllers: readonly Type[]): string[] {
  return controllers.flatMap((controller) =>
    new MetadataScanner()
      .getAllMethodNames(controller.prototype)
      .filter((method) => {
        const handler = controller.prototype[method];
        const has = (key: string): boolean =>
          Reflect.hasMetadata(key, handler) || Reflect.hasMetadata(key, controller);
        return (
          Reflect.hasMetadata(PATH_METADATA, handler) &&
          !has(IS_PUBLIC) &&
          !has(GUARDS_METADATA) &&
          !factoriesOf(controller, method).includes(CURRENT_USER)
        );
      })
      .map((method) => `${controller.name}.${method}`),
  );
}
