import { ValidationPipe, type PipeTransform, type Type } from '@nestjs/common';
import { PIPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, type ModulesContainer } from '@nestjs/core';
import { getMetadataStorage } from 'class-validator';
import type { DtoClass } from './define-field.js';
import type { DescribingRule } from './faults.js';

type Pipe = PipeTransform | Type<PipeTransform>;

/** What a route takes by one of the decorators below. */
interface Parameter {
  readonly index: number;
  /** The name in `@Query('page')`. */
  readonly data?: unknown;
  readonly pipes: readonly Pipe[];
}

interface CheckedParameter extends Parameter {
  /** Begins a fault: `TargetsController.create: @Body()` */
  readonly place: string;
  readonly type: unknown;
  readonly hasOwnValidation: boolean;
}

/** As Nest numbers the decorators of parameters. */
const DECORATORS = new Map([
  ['3', '@Body()'],
  ['4', '@Query()'],
  ['5', '@Param()'],
]);
const BUILT_IN: readonly unknown[] = [String, Number, Boolean, Array, Date, Buffer];
const GATEWAY = 'websockets:is_gateway';

const ownValidated = new WeakSet<DtoClass>();

/** Tells whether the routes with this DTO have a ValidationPipe of their own, which wants to see unknown fields. */
export function isValidatedByRoute(Dto: DtoClass): boolean {
  return ownValidated.has(Dto);
}

/** Refuses at the start what would fail or be ignored at the first request, with the remedy. */
export function checkRoutes(modules: ModulesContainer): void {
  const discovery = new DiscoveryService(modules);
  const parameters = discovery
    .getControllers()
    .flatMap(({ metatype }) => parametersOf(metatype as Type<object>));
  const faults = [
    ...parameters.flatMap(faultsOfParameter),
    ...discovery.getProviders().flatMap(({ metatype }) => faultsOfGateway(metatype)),
  ];
  for (const { type, hasOwnValidation, place } of parameters.filter(isDto)) {
    if (hasOwnValidation) ownValidated.add(type as DtoClass);
    else if (parameters.some((other) => other.type === type && other.hasOwnValidation))
      faults.push(`${place} has the type of a route with a ValidationPipe: give it another class`);
  }
  if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'));
}

function parametersOf(controller: Type<object>): CheckedParameter[] {
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((method) => {
    const types = (Reflect.getMetadata('design:paramtypes', prototype, method) ?? []) as unknown[];
    const taken = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
      string,
      Parameter
    >;
    const shared = [controller, prototype[method]!].flatMap(
      (target) => (Reflect.getMetadata(PIPES_METADATA, target) ?? []) as Pipe[],
    );
    return Object.entries(taken).flatMap(([key, parameter]) => {
      const decorator = DECORATORS.get(key.split(':')[0]!);
      if (decorator === undefined) return [];
      const hasOwnValidation = [...shared, ...parameter.pipes].some(isValidation);
      const place = `${controller.name}.${method}: ${decorator}`;
      return [{ ...parameter, place, type: types[parameter.index], hasOwnValidation }];
    });
  });
}

function isValidation(pipe: Pipe): boolean {
  return pipe instanceof ValidationPipe || pipe === ValidationPipe;
}

function isDto({ type }: CheckedParameter): boolean {
  return typeof type === 'function' && type !== Object && !BUILT_IN.includes(type);
}

function faultsOfParameter(parameter: CheckedParameter): string[] {
  const { type, data, pipes, place } = parameter;
  if (type === Object || type === undefined)
    return [`${place} has no class as its type: declare an XDto, and import it without "type"`];
  if (type === Array && data === undefined && pipes.length === 0)
    return [`${place} is a list: wrap it in a DTO with ListField, or give it a ParseArrayPipe`];
  return isDto(parameter) ? faultsOfDto(type as DtoClass) : [];
}

/** A field without a rule would never reach the handler. */
function faultsOfDto(Dto: DtoClass): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false);
  if (rules.length === 0)
    return [`${Dto.name} has no rules: give its fields decorators such as IntegerField`];
  const ruled = new Set(rules.map(({ propertyName }) => propertyName));
  const fields = Object.keys(new Dto()).filter((field) => !ruled.has(field));
  const entries = rules.flatMap(({ context }) => (context as Partial<DescribingRule> | undefined)?.entry ?? []); // prettier-ignore
  return [
    ...fields.map((field) => `${Dto.name}.${field} has no rule: use a decorator such as IntegerField, or @Allow()`), // prettier-ignore
    ...entries.flatMap((entry) => faultsOfDto(entry())),
  ];
}

function faultsOfGateway(provider: unknown): string[] {
  if (typeof provider !== 'function' || !Reflect.hasMetadata(GATEWAY, provider)) return [];
  return [`${provider.name}: the limits of connections know no WebSockets: use @Sse()`];
}
