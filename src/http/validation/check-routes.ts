import type { Type } from '@nestjs/common';
// No public function of Nest tells what a route takes; check-routes.spec fails if this changes.
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, type DiscoveryService } from '@nestjs/core';

/** The parameters of a route, as Nest keeps what their decorators say. */
type Parameters = Readonly<Record<string, { index: number; pipes: unknown[] }>> | undefined;

/** What a route takes, by the number that Nest gives its decorator. */
const TAKEN: Readonly<Record<string, string>> = { 3: '@Body()', 4: '@Query()', 5: '@Param()' };

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
    return Object.entries(taken ?? {}).flatMap(([key, { index, pipes }]) => {
      const decorator = TAKEN[key.split(':')[0]!];
      const type = types[index];
      const isPlain = type === Object || type === Array;
      const hasClass = type !== undefined && (pipes.length > 0 || !isPlain);
      if (decorator === undefined || hasClass) return [];
      return `${controller.name}.${method}: ${decorator} has no class: ${REMEDY}`;
    });
  });
}
