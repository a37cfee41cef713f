import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { applySwaggerDecorators } from './openapi.decorator.js';
import { OPENAPI_BASE } from './openapi-base.js';
import { completeOperation } from './openapi-operation.js';
import { routesOf } from '../routes.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/**
 * The API as its code says it. @nestjs/swagger reads parameters and schemas from the DTOs; what the routes answer is
 * added to that, so that controllers say it in two short lines. It is loaded only now: that takes a fifth of a second.
 */
export async function makeOpenApiDocument(app: INestApplication): Promise<OpenAPIObject> {
  const { SwaggerModule } = await import('@nestjs/swagger');
  await applySwaggerDecorators();
  const routes = new Map(routesOf(app).map((route) => [nameOf(route.controller.name, route.method), route]));
  const document = SwaggerModule.createDocument(app, OPENAPI_BASE, {
    operationIdFactory: nameOf,
    extraModels: [...routes.values()].flatMap(({ guardedBody }) => guardedBody ?? []),
  });
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[])) {
    const route = routes.get(operation.operationId ?? '');
    if (route) completeOperation(operation, route, document.components?.schemas ?? {});
  }
  return document;
}

/** `Sales_uploadDaily` */
function nameOf(controller: string, method: string): string {
  return `${controller.replace(/Controller$/, '')}_${method}`;
}
