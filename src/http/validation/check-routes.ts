import { ValidationPipe, type Type } from '@nestjs/common';
// Nothing public tells what a route takes.
import { PIPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, type DiscoveryService } from '@nestjs/core';

/** A parameter of a route, as Nest keeps what its decorator says. */
interface Parameter {
  readonly index: number;
  readonly pipes: readonly unknown[];
}

type Parameters = Readonly<Record<string, Parameter>>;

/** What a route takes, by the number that Nest gives its decorator. */
const TAKEN: Readonly<Record<string, string>> = { 3: '@Body()', 4: '@Query()', 5: '@Param()' };

/** Nest's own key of the classes that `@WebSocketGateway()` decorates. */
const GATEWAY = 'websockets:is_gateway';

/** Types that Nest's pipe does not validate either. */
const PLAIN_TYPES: readonly unknown[] = [String, Number, Boolean, Array, Object, Date, Buffer];

/** DTOs that a route's own ValidationPipe checks, which may need what ours would drop. */
const ownValidated = new WeakSet<object>();

export function isValidatedByRoute(Dto: object): boolean {
  return ownValidated.has(Dto);
}

/** Refuses to start where a request would silently not be validated, with the remedy. */
export function checkRoutes(discovery: DiscoveryService): void {
  const controllers = discovery.getControllers().map(({ metatype }) => metatype as Type<object>);
  const parameters = controllers.flatMap(parametersOf);
  for (const { type, hasOwnPipe } of parameters)
    if (hasOwnPipe && isDto(type)) ownValidated.add(type);
  const faults = parameters.flatMap(({ type, isPiped, hasOwnPipe, place }) => {
    if (type === undefined || (type === Object && !isPiped))
      return `${place} has no class: declare an XDto, and import it without "type"`;
    if (type === Array && !isPiped)
      return `${place} is a list: give it a ParseArrayPipe, or take a DTO with a ListField`;
    if (!hasOwnPipe && isDto(type) && isValidatedByRoute(type))
      return `${place} shares its DTO with a route that has its own ValidationPipe: give it another`;
    return [];
  });
  const gateways = discovery
    .getProviders()
    .filter(({ metatype }) => metatype && Reflect.hasMetadata(GATEWAY, metatype))
    .map(({ name }) => `${name}: the limits of connections close WebSockets: take @Sse()`);
  if (faults.length + gateways.length > 0) throw new Error([...faults, ...gateways].join('\n'));
}

function parametersOf(controller: Type<object>) {
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((method) => {
    const types = (Reflect.getMetadata('design:paramtypes', prototype, method) ?? []) as unknown[];
    const taken = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ??
      {}) as Parameters;
    const shared = [controller, prototype[method]!].flatMap(
      (target) => (Reflect.getMetadata(PIPES_METADATA, target) ?? []) as unknown[],
    );
    return Object.entries(taken).flatMap(([key, { index, pipes }]) => {
      const decorator = TAKEN[key.split(':')[0]!];
      if (decorator === undefined) return [];
      const hasOwnPipe = [...shared, ...pipes].some(isValidationPipe);
      const place = `${controller.name}.${method}: ${decorator}`;
      return [{ place, type: types[index], isPiped: pipes.length > 0, hasOwnPipe }];
    });
  });
}

function isDto(type: unknown): type is object {
  return type !== undefined && !PLAIN_TYPES.includes(type);
}

function isValidationPipe(pipe: unknown): boolean {
  return pipe instanceof ValidationPipe || pipe === ValidationPipe;
}
