import type { Type } from '@nestjs/common';
// No public function of Nest tells what a route takes; check-routes.spec fails if this changes.
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { type DiscoveryService, MetadataScanner } from '@nestjs/core';
import { getMetadataStorage } from 'class-validator';

/** The parameters of a route, as Nest keeps what their decorators say. */
type Parameters =
  Readonly<Record<string, { index: number; data?: unknown; pipes: unknown[] }>> | undefined;

/** The rules of a class; not every rule has groups or a class, as the library's types say. */
type Rules = readonly {
  readonly groups?: readonly string[];
  readonly constraintCls?: { readonly name: string; readonly length: number };
}[];

/** What a route takes, by the number that Nest gives its decorator. */
const TAKEN: Readonly<Record<string, string>> = {
  3: '@Body',
  4: '@Query',
  5: '@Param',
  12: '@RawBody',
};

/** Where @nestjs/websockets notes that a class is a gateway. */
const GATEWAY_METADATA = 'websockets:is_gateway';

const NAMED_REMEDY = 'declare an XDto for the whole, or give it a pipe such as ParseIntPipe';
const NO_RULE_REMEDY = 'give its properties decorators of http/validation or class-validator';
const REMEDY = 'declare an XDto and import it without "type", or give a list a ParseArrayPipe';
const RAW_REMEDY = 'would be empty: take @UnparsedBody() of http/body, and readBytes() there';
const GROUPS_REMEDY = 'has rules with groups, which are not told apart: take PartialType, OmitType';
const INJECTED_REMEDY = 'would be made without its dependencies: let the service decide it';
const GATEWAY_REMEDY =
  'no token would be checked, and the limits close its connections: take @Sse()';

/** Refuses to start where a request would silently not be checked, with the remedy. */
export function checkRoutes(discovery: DiscoveryService): void {
  const classesOf = (found: { metatype: unknown }[]) =>
    found.flatMap(({ metatype }) => (typeof metatype === 'function' ? [metatype] : []));
  const gateways = classesOf(discovery.getProviders()).filter((provider) =>
    Reflect.hasMetadata(GATEWAY_METADATA, provider),
  );
  const faults = [
    ...classesOf(discovery.getControllers()).flatMap((each) => faultsOf(each as Type<object>)),
    ...gateways.map(({ name }) => `${name}: ${GATEWAY_REMEDY}`),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

function faultsOf(controller: Type<object>): string[] {
  const prototype = controller.prototype as object;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((method) => {
    const types = Reflect.getMetadata('design:paramtypes', prototype, method) as unknown[];
    const taken = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) as Parameters;
    return Object.entries(taken ?? {}).flatMap(([key, { index, data, pipes }]) => {
      const decorator = TAKEN[key.split(':')[0]!];
      const fault = decorator && faultOf(decorator, types[index], data, pipes);
      return fault ? [`${controller.name}.${method}: ${fault}`] : [];
    });
  });
}

/** Returns why what a parameter takes would not be validated. */
function faultOf(decorator: string, type: unknown, data: unknown, pipes: unknown[]) {
  if (decorator === '@RawBody') return `@RawBody() ${RAW_REMEDY}`;
  if (typeof data === 'string') {
    const isText = decorator === '@Param' && type === String;
    const named = `${decorator}('${data}')`;
    return isText || pipes.length > 0 ? undefined : `${named} is not validated: ${NAMED_REMEDY}`;
  }
  if (pipes.length > 0 && type !== undefined) return undefined;
  if (type === undefined || type === Object || type === Array)
    return `${decorator}() has no class: ${REMEDY}`;
  return faultOfDto(type as Type<object>);
}

/** Returns why the rules of a class would not be applied as they are meant. */
function faultOfDto(Dto: Type<object>): string | undefined {
  const storage = getMetadataStorage();
  const rules: Rules = storage.getTargetValidationMetadatas(Dto, '', false, false);
  if (rules.length === 0) return `${Dto.name} has no rule: ${NO_RULE_REMEDY}`;
  if (rules.some(({ groups = [] }) => groups.length > 0)) return `${Dto.name} ${GROUPS_REMEDY}`;
  const injected = rules.find(({ constraintCls: Rule }) => Rule && Rule.length > 0);
  return injected && `${Dto.name}: the rule ${injected.constraintCls!.name} ${INJECTED_REMEDY}`;
}
