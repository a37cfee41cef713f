import type { IncomingMessage } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { GUARDS_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { Application } from 'express';
import { IS_PUBLIC } from './public.decorator.js';
import type { DtoClass } from './validation/field-rule.js';
import { ValidBodyGuard } from './validation/request-validation.pipe.js';

export interface Route {
  readonly controller: abstract new (...parameters: never[]) => object;
  readonly method: string;
  readonly handler: object;
  readonly isPublic: boolean;
  /** The DTO of its `ValidBodyGuard`. */
  readonly guardedBody: DtoClass | undefined;
}

export function routesOf(app: INestApplicationContext): Route[] {
  const scanner = new MetadataScanner();
  return [...app.get(ModulesContainer).values()].flatMap(({ controllers }) => {
    return [...controllers.values()].flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const controller = metatype as Route['controller'];
      const methods = scanner.getAllMethodNames(controller.prototype as object);
      return methods.flatMap((method) => toRoute(controller, method) ?? []);
    });
  });
}

function toRoute(controller: Route['controller'], method: string): Route | undefined {
  const handler = (controller.prototype as Record<string, object>)[method];
  if (!handler || !Reflect.hasMetadata(PATH_METADATA, handler)) return undefined;
  const guards = (Reflect.getMetadata(GUARDS_METADATA, handler) ?? []) as readonly unknown[];
  const guardedBody = guards.find((guard) => guard instanceof ValidBodyGuard)?.Dto;
  const isPublic = [handler, controller].some((target) => Reflect.getMetadata(IS_PUBLIC, target) === true);
  return { controller, method, handler, isPublic, guardedBody };
}

/** Left out by Express' types. */
interface RouteLayer {
  match(path: string): unknown;
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
}

/** Lists the methods of the routes at a path, or of all routes. */
export function allowedMethods({ router }: Application, path?: string): string[] {
  const layers = router.stack as readonly unknown[] as readonly RouteLayer[];
  const found = layers.filter((layer) => layer.route && (path === undefined || layer.match(path)));
  const methods = new Set(found.flatMap(({ route }) => Object.keys(route!.methods)).map((name) => name.toUpperCase()));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

export function isProbe({ url }: IncomingMessage): boolean {
  return url?.startsWith('/health/') === true;
}
