import { Injectable, type INestApplication } from '@nestjs/common';
import type { ComponentsObject, OpenAPIObject, OperationObject, TagObject } from '@nestjs/swagger';
import { routesOf } from '../routes.js';
import { ERROR_SCHEMAS, HEADERS } from './error-responses.js';
import { applySwaggerDecorators } from './openapi.decorator.js';
import { adaptNullables, completeOperation } from './openapi-operation.js';

export type ApiDescription = Pick<OpenAPIObject, 'info' | 'servers' | 'tags'>;

const BEARER = 'bearer';

const COMPONENTS: ComponentsObject = {
  securitySchemes: { [BEARER]: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  schemas: ERROR_SCHEMAS,
  responses: {},
  headers: HEADERS,
};

/** Handlers that another application of the process may share. */
const described = new WeakSet<object>();

/** Makes the OpenAPI document when it is first read, and keeps it as JSON. */
@Injectable()
export class OpenApi {
  private text: Promise<string> | undefined;
  private make = (): Promise<string> => Promise.reject(new Error('there is no application to describe'));

  /** Takes the application, which no provider can inject. */
  describe(app: INestApplication, description: ApiDescription): void {
    this.make = async () => JSON.stringify(await makeOpenApiDocument(app, description));
  }

  read(): Promise<string> {
    this.text ??= this.make();
    return this.text;
  }
}

/** Makes the OpenAPI document with @nestjs/swagger and completes its operations. */
export async function makeOpenApiDocument(app: INestApplication, description: ApiDescription): Promise<OpenAPIObject> {
  await applySwaggerDecorators();
  const { ApiBearerAuth, ApiBody, SwaggerModule } = await import('@nestjs/swagger');
  for (const { controller, method, handler, isPublic, guardedBody } of routesOf(app)) {
    if (described.has(handler)) continue;
    described.add(handler);
    if (!isPublic) ApiBearerAuth(BEARER)(controller, method, { value: handler });
    if (guardedBody) ApiBody({ type: guardedBody })(controller, method, { value: handler });
  }
  const base = { openapi: '3.0.3', ...description, components: structuredClone(COMPONENTS) };
  const document = SwaggerModule.createDocument(app, base, { operationIdFactory: (_controller, method) => method });
  return completeDocument(document, description.tags ?? []);
}

function completeDocument(document: OpenAPIObject, tags: TagObject[]): OpenAPIObject {
  const components = document.components!;
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as OperationObject[]);
  adaptNullables(components);
  for (const operation of operations) completeOperation(operation, components);
  sortByTag(document, tags);
  return document;
}

/** Tools run a document from first to last: other tags come before the last of the described ones. */
function sortByTag(document: OpenAPIObject, described: TagObject[]): void {
  const tagOf = (path: object): string | undefined => (Object.values(path) as OperationObject[])[0]?.tags?.[0];
  const used = new Set(Object.values(document.paths).map(tagOf));
  const isOther = (name = ''): boolean => name !== '' && described.every((tag) => tag.name !== name);
  const others = [...used].filter(isOther).map((name = '') => ({ name, description: name }));
  const order = [...described.slice(0, -1), ...others, ...described.slice(-1)];
  const rankOf = (path: object): number => order.findIndex(({ name }) => name === tagOf(path));
  const paths = Object.entries(document.paths).sort(([, one], [, other]) => rankOf(one) - rankOf(other));
  document.paths = Object.fromEntries(paths);
  document.tags = order.filter(({ name }) => used.has(name));
}
