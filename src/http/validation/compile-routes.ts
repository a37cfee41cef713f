import type { INestApplicationContext } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { routesOf, type Route } from '../routes.js';
import { validatorOf } from './request-validation.pipe.js';
import { hasRules } from './dto-class.js';

/**
 * Compiles the DTOs of all routes while the service starts: a rule that cannot be compiled, or a body without rules,
 * stops the start and is not found out by the first client.
 */
export function compileRoutes(app: INestApplicationContext): void {
  for (const route of routesOf(app)) compileRoute(route);
}

function compileRoute({ controller, method, guardedBody }: Route): void {
  const sources = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<string, RouteArgument>;
  const prototype = controller.prototype as object;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, prototype, method) ?? []) as readonly unknown[];
  if (guardedBody) validatorOf(guardedBody);
  for (const [source, { index, data }] of Object.entries(sources)) {
    const type = types[index];
    if (hasRules(type)) validatorOf(type);
    else if (source.startsWith(`${RouteParamtypes.BODY}:`) && data === undefined) {
      // What `import type` leaves of a DTO: the code compiles, and nothing would be checked.
      throw new Error(`${controller.name}.${method}: the class of @Body() has no rules, or is imported as a type only`);
    }
  }
}

interface RouteArgument {
  readonly index: number;
  readonly data?: string;
}
