import type { INestApplicationContext } from '@nestjs/common';
import { PARAMTYPES_METADATA, RESPONSE_PASSTHROUGH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { routesOf, type Route } from '../routes.js';
import { compileDto } from './compile-dto.js';
import { hasRules } from './field-rule.js';

const DECORATORS = new Map<number, string>([
  [RouteParamtypes.BODY, '@Body()'],
  [RouteParamtypes.QUERY, '@Query()'],
  [RouteParamtypes.PARAM, '@Param()'],
]);

interface Parameter {
  readonly index: number;
  readonly data?: string;
  readonly pipes: readonly unknown[];
}

/** Compiles all DTOs; throws if a handler would get unvalidated parameters, or its result would not be sent. */
export function checkRoutes(app: INestApplicationContext): void {
  for (const route of routesOf(app)) {
    if (route.guardedBody) compileDto(route.guardedBody);
    checkHandler(route);
  }
}

function checkHandler({ controller, method }: Route): void {
  const handler = `${controller.name}.${method}`;
  const bySource = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<string, Parameter>;
  const prototype = controller.prototype as object;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, prototype, method) ?? []) as readonly unknown[];
  for (const [key, parameter] of Object.entries(bySource)) {
    const decorator = DECORATORS.get(Number(key.split(':')[0]));
    if (decorator) checkParameter(handler, decorator, types[parameter.index], parameter);
    // Nest leaves the response to a handler that takes it.
    const isResponse = key.startsWith(`${RouteParamtypes.RESPONSE}:`);
    if (isResponse && !Reflect.hasMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, method))
      throw new Error(`${handler}: its result is not sent; write @Res({ passthrough: true })`);
  }
}

function checkParameter(handler: string, decorator: string, type: unknown, { data: field, pipes }: Parameter): void {
  if (hasRules(type)) return void compileDto(type);
  // TypeScript emits Object for interfaces and type imports.
  if (type === Object || type === undefined) {
    throw new Error(`${handler}: the type of ${decorator} is no class, or a class that is imported with "import type"`);
  }
  if (field === undefined && pipes.length === 0)
    throw new Error(`${handler}: the class of ${decorator} has no validation rules`);
}
