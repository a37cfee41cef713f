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

/** Compiles all DTOs; throws if a handler would get unvalidated parameters, or its result would not be sent. */
export function checkRoutes(app: INestApplicationContext): void {
  for (const route of routesOf(app)) {
    if (route.guardedBody) compileDto(route.guardedBody);
    const handler = `${route.controller.name}.${route.method}`;
    for (const parameter of parametersOf(route)) checkParameter(handler, parameter);
    if (!sendsResult(route)) throw new Error(`${handler}: its result is not sent; write @Res({ passthrough: true })`);
  }
}

/** Nest leaves the response to a handler that takes it. */
function sendsResult({ controller, method }: Route): boolean {
  const sources = Object.keys((Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as object);
  const takesResponse = sources.some((source) => source.startsWith(`${RouteParamtypes.RESPONSE}:`));
  return !takesResponse || Reflect.hasMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, method);
}

interface Parameter {
  readonly decorator: string;
  readonly type: unknown;
  readonly field: string | undefined;
  readonly hasPipe: boolean;
}

function parametersOf({ controller, method }: Route): Parameter[] {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { readonly index: number; readonly data?: string; readonly pipes: readonly unknown[] }
  >;
  const prototype = controller.prototype as object;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, prototype, method) ?? []) as readonly unknown[];
  return Object.entries(parameters).flatMap(([source, { index, data: field, pipes }]) => {
    const decorator = DECORATORS.get(Number(source.split(':')[0]));
    return decorator ? [{ decorator, type: types[index], field, hasPipe: pipes.length > 0 }] : [];
  });
}

function checkParameter(handler: string, { decorator, type, field, hasPipe }: Parameter): void {
  if (hasRules(type)) return void compileDto(type);
  // TypeScript emits Object for interfaces and type imports.
  if (type === Object || type === undefined) {
    throw new Error(`${handler}: the type of ${decorator} is no class, or a class that is imported with "import type"`);
  }
  if (field === undefined && !hasPipe) throw new Error(`${handler}: the class of ${decorator} has no validation rules`);
}
