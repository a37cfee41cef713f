import type { Type } from '@nestjs/common';
// No public function of Nest tells what a route takes; check-routes.spec fails if this changes.
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { type DiscoveryService, MetadataScanner } from '@nestjs/core';
import { getMetadataStorage } from 'class-validator';

/** The parameters of a route, as Nest keeps what their decorators say. */
type Parameters =
  Readonly<Record<string, { index: number; data?: unknown; pipes: unknown[] }>> | undefined;

/** What a route takes, by the number that Nest gives its decorator. */
const TAKEN: Readonly<Record<string, string>> = { 3: '@Body', 4: '@Query', 5: '@Param' };

const NAMED_REMEDY = 'declare an XDto for the whole, or give it a pipe such as ParseIntPipe';
const NO_RULE_REMEDY = 'give its properties decorators of http/validation or class-validator';
const REMEDY = 'declare an XDto and import it without "type", or give a list a ParseArrayPipe';

/** Refuses to start where a request would silently not be validated, with the remedy. */
export function checkRoutes(discovery: DiscoveryService): void {
  const controllers = discovery.getControllers();
  const faults = controllers.flatMap(({ metatype }) => faultsOf(metatype as Type<object>));
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
  if (typeof data === 'string') {
    const isText = decorator === '@Param' && type === String;
    const named = `${decorator}('${data}')`;
    return isText || pipes.length > 0 ? undefined : `${named} is not validated: ${NAMED_REMEDY}`;
  }
  if (pipes.length > 0 && type !== undefined) return undefined;
  if (type === undefined || type === Object || type === Array)
    return `${decorator}() has no class: ${REMEDY}`;
  const Dto = type as Type<object>;
  const rules = getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false);
  return rules.length > 0 ? undefined : `${Dto.name} has no rule: ${NO_RULE_REMEDY}`;
}
