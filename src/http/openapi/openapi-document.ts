import { Injectable, type INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type {
  ComponentsObject,
  OperationObject,
  RequestBodyObject,
  ResponseObject,
  TagObject,
} from '@nestjs/swagger';
import { PUBLIC_EXTENSION } from '../public.decorator.js';
import {
  ERROR_BODY,
  errorResponse,
  GENERAL_ERRORS,
  HEADERS,
  references,
} from './error-responses.js';
import { adaptNullables, resolve } from './nullable-fields.js';

export type ApiDescription = Pick<OpenAPIObject, 'info' | 'servers' | 'tags'>;

/** Makes the OpenAPI document when it is first read, and keeps it as JSON. */
@Injectable()
export class OpenApi {
  private text: string | undefined;
  private make = (): OpenAPIObject => {
    throw new Error('there is no application to describe');
  };

  /** Takes the application, which no provider can inject. */
  describe(app: INestApplication, description: ApiDescription): void {
    this.make = () => makeOpenApiDocument(app, description);
  }

  read(): string {
    this.text ??= JSON.stringify(this.make());
    return this.text;
  }
}

/** Makes the document with @nestjs/swagger, and adds what any route has: its token, headers and errors. */
export function makeOpenApiDocument(
  app: INestApplication,
  description: ApiDescription,
): OpenAPIObject {
  const components: ComponentsObject = {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    schemas: { ErrorBody: ERROR_BODY },
    responses: {},
    headers: HEADERS,
  };
  const document = SwaggerModule.createDocument(
    app,
    structuredClone({ openapi: '3.0.3', ...description, components }),
    { operationIdFactory: (_controller, method) => method },
  );
  adaptNullables(document.components!);
  for (const operation of Object.values(document.paths).flatMap(operationsOf))
    completeOperation(operation, document.components!);
  sortByTag(document, description.tags ?? []);
  return document;
}

function operationsOf(path: object): OperationObject[] {
  return Object.values(path) as OperationObject[];
}

function completeOperation(operation: OperationObject, components: ComponentsObject): void {
  const { responses } = operation;
  const body = operation.requestBody as RequestBodyObject | undefined;
  operation.description ??= operation.summary ?? '';
  operation.security = PUBLIC_EXTENSION in operation ? [] : [{ bearer: [] }];
  Reflect.deleteProperty(operation, PUBLIC_EXTENSION);
  operation.tags = operation.tags?.slice(-1) ?? []; // a route's own comes after its controller's
  const schema = resolve(body?.content['application/json']?.schema, components);
  if (body) body.required = (schema?.required ?? []).length > 0;
  for (const status of [...(body ? GENERAL_ERRORS.body : []), ...GENERAL_ERRORS.any])
    responses[status] ??= { description: '' };
  for (const [status, given] of Object.entries(responses)) {
    const response = given as ResponseObject;
    const error = errorResponse(Number(status));
    if (error && response.description === '') {
      components.responses![error.name] = error.response;
      responses[status] = { $ref: `#/components/responses/${error.name}` };
    } else {
      const headers = references('X-Request-Id');
      const description = response.description || 'Success';
      responses[status] = { headers, ...error?.response, ...response, description };
    }
  }
}

/** Tools run a document from first to last: paths come in the order of the tags, others before the last tag. */
function sortByTag(document: OpenAPIObject, tags: readonly TagObject[]): void {
  const rankOf = (path: object): number => {
    const index = tags.findIndex(({ name }) => operationsOf(path)[0]?.tags?.includes(name));
    return index < 0 ? tags.length - 1.5 : index;
  };
  const paths = Object.entries(document.paths);
  document.paths = Object.fromEntries(paths.sort(([, a], [, b]) => rankOf(a) - rankOf(b)));
}
