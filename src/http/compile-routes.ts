import type { INestApplicationContext } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { validatorOf } from './validation.pipe.js';
import { hasRules } from './validation/dto-class.js';

type Controller = abstract new (...parameters: never[]) => object;

/**
 * Compiles the DTOs of all routes while the service starts: a rule that cannot be compiled, or a body without rules,
 * stops the start and is not found out by the first client.
 */
export function compileRoutes(app: INestApplicationContext): void {
  const scanner = new MetadataScanner();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const controller = metatype as Controller;
      for (const method of scanner.getAllMethodNames(controller.prototype as object)) compileRoute(controller, method);
    }
  }
}

function compileRoute(controller: Controller, method: string): void {
  const sources = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<string, RouteArgument>;
  const prototype = controller.prototype as object;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, prototype, method) ?? []) as readonly unknown[];
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
