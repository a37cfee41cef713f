import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type {
  ComponentsObject,
  OperationObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
  TagObject,
} from '@nestjs/swagger';
import { ERROR_BODY, errorResponse, GENERAL_ERRORS, HEADERS, references } from './error-responses.js'; // prettier-ignore

export type ApiDescription = Pick<OpenAPIObject, 'info' | 'servers' | 'tags'>;

/** Serves the OpenAPI document, which is made when it is first read. */
export function serveOpenApi(app: INestApplication, description: ApiDescription): void {
  SwaggerModule.setup('api/v1/openapi', app, () => makeOpenApiDocument(app, description), {
    ui: false,
    raw: ['json'],
    jsonDocumentUrl: 'api/v1/openapi.json',
  });
}

/** Makes the document with @nestjs/swagger, and adds what any route has: token, headers, errors. */
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
    { operationIdFactory: (_controller, method) => method, autoTagControllers: false },
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
  operation.security ??= [{ bearer: [] }];
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

/**
 * Makes nullable fields optional, and copies the schemas of nullable objects into them.
 *
 * In OpenAPI 3.0 a reference does not admit null; Python clients reject null in a required field.
 */
function adaptNullables(components: ComponentsObject): void {
  for (const schema of Object.values(components.schemas ?? {}) as SchemaObject[]) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (!('nullable' in property)) continue;
      if (schema.required) schema.required = schema.required.filter((field) => field !== name);
      Object.assign(property, resolve(property.allOf?.[0], components), property);
      delete property.allOf;
    }
  }
}

/** Returns the schema that a reference points to, any other as it is. */
function resolve(
  schema: SchemaObject | ReferenceObject | undefined,
  components: ComponentsObject,
): SchemaObject | undefined {
  if (!schema || !('$ref' in schema)) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  return components.schemas?.[name] as SchemaObject | undefined;
}

/** Tools run a document in order: paths come as their tags do, others before the last tag. */
function sortByTag(document: OpenAPIObject, tags: readonly TagObject[]): void {
  const rankOf = (path: object): number => {
    const index = tags.findIndex(({ name }) => operationsOf(path)[0]?.tags?.includes(name));
    return index < 0 ? tags.length - 1.5 : index;
  };
  const paths = Object.entries(document.paths);
  document.paths = Object.fromEntries(paths.sort(([, a], [, b]) => rankOf(a) - rankOf(b)));
}
