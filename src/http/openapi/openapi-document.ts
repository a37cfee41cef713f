import { STATUS_CODES } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type {
  ComponentsObject,
  HeadersObject,
  OperationObject,
  ResponseObject,
  ResponsesObject,
  SchemaObject,
} from '@nestjs/swagger';
import { getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { declaredErrors, type ServiceError } from '../errors/service-error.js';
import { StringField } from '../validation/fields.decorator.js';

export type ApiDescription = Pick<OpenAPIObject, 'info' | 'servers' | 'tags'> & {
  /** Errors that are examples of their status, where that has others or needs values. */
  readonly errors?: readonly ServiceError[];
};

/** Statuses of the errors that every route may send. */
const ANY_ROUTE = [400, 404, 408, 431, 500, 503];
/** Statuses of further errors that every route with a body may send. */
const ANY_BODY = [413, 415];

/** The headers that errors of a status have beside those of every error. */
const OWN_HEADERS: Readonly<Record<number, readonly string[]>> = {
  400: ['X-Error-Fields'],
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const HEADERS: HeadersObject = {
  'X-Request-Id': {
    required: true,
    description: "Identifies the request in the service's log; one that the client sent is kept",
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$', example: 'till-7-0042' },
  },
  'X-Error-Fields': {
    description: 'JSON pointers (RFC 6901) of the invalid fields, at most 20',
    schema: { type: 'string', example: '/records/0/hour, /records/0/gto' },
  },
  'Retry-After': {
    description: 'Seconds to wait',
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647, example: 1 },
  },
  'WWW-Authenticate': {
    required: true,
    description: 'The scheme; with error="invalid_token" if a token was sent',
    schema: { type: 'string', example: 'Bearer' },
  },
};

class ErrorBody {
  @StringField({
    description: 'What is wrong, for a person to read; a 400 reports the first ten errors',
  })
  readonly error!: string;
}

/** Serves the OpenAPI document, which is made when it is first read. */
export function serveOpenApi(app: INestApplication, description: ApiDescription): void {
  SwaggerModule.setup('api/v1/openapi', app, () => makeOpenApiDocument(app, description), {
    ui: false,
    raw: ['json'],
    jsonDocumentUrl: 'api/v1/openapi.json',
  });
}

/** Makes the document with @nestjs/swagger; adds what every route has: token, headers, errors. */
export function makeOpenApiDocument(
  app: INestApplication,
  { errors = [], ...description }: ApiDescription,
): OpenAPIObject {
  const components: ComponentsObject = {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    responses: {},
    headers: HEADERS,
  };
  const document = SwaggerModule.createDocument(
    app,
    { openapi: '3.0.3', ...description, components },
    {
      operationIdFactory: (_controller, method) => method,
      autoTagControllers: false,
      extraModels: [ErrorBody],
    },
  );
  for (const schema of Object.values(document.components!.schemas ?? {}))
    allowToLeaveOutNull(schema as SchemaObject);
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path) as OperationObject[])
      completeOperation(operation, document.components!.responses!, errors);
  return withoutDto(document);
}

/** Takes the ending Dto, which is a word of the code, from the names of schemas. */
function withoutDto(document: OpenAPIObject): OpenAPIObject {
  const text = JSON.stringify(document).replaceAll(/(#\/components\/schemas\/\w+)Dto"/g, '$1"');
  const renamed = JSON.parse(text) as OpenAPIObject;
  const schemas = Object.entries(renamed.components?.schemas ?? {});
  const named = schemas.map(([name, schema]) => [name.replace(/Dto$/, ''), schema] as const);
  return { ...renamed, components: { ...renamed.components, schemas: Object.fromEntries(named) } };
}

/** Python clients reject null in a required field, so what may be null is not required. */
function allowToLeaveOutNull(schema: SchemaObject): void {
  const { properties = {}, required } = schema;
  const isNullable = (name: string): boolean =>
    (properties[name] as SchemaObject).nullable === true;
  if (required) schema.required = required.filter((name) => !isNullable(name));
}

/** Adds the errors of every route, which share a description for each status. */
function completeOperation(
  operation: OperationObject,
  shared: ResponsesObject,
  examples: readonly ServiceError[],
): void {
  const { responses, requestBody } = operation;
  operation.security ??= [{ bearer: [] }];
  for (const status of requestBody ? [...ANY_ROUTE, ...ANY_BODY] : ANY_ROUTE)
    responses[status] ??= { description: '' };
  for (const [status, given] of Object.entries(responses) as [string, ResponseObject][]) {
    if (Number(status) < 400) {
      const description = given.description || 'Success';
      responses[status] = { headers: referTo('X-Request-Id'), ...given, description };
      continue;
    }
    const name = STATUS_CODES[status] ?? 'Error';
    const key = name.replace(/\W/g, '');
    if (given.description) responses[status] = errorResponse(+status, given.description, examples);
    else {
      shared[key] ??= errorResponse(+status, name, examples);
      responses[status] = { $ref: `#/components/responses/${key}` };
    }
  }
}

/** Makes the response of a status, with the codes of the declared errors. */
function errorResponse(
  status: number,
  description: string,
  examples: readonly ServiceError[],
): ResponseObject {
  // They are sorted, as the order of imports is not stable.
  const declared = declaredErrors
    .filter((error) => error.status === status)
    .sort((one, next) => one.code.localeCompare(next.code));
  const codes = [...new Set(declared.map(({ code }) => code))];
  const shown = examples.find((error) => error.getStatus() === status);
  const plain = declared.find(({ text }) => typeof text === 'string');
  const error = shown?.message ?? plain?.text ?? description.toLowerCase();
  const example = shown?.errorCode ?? plain?.code ?? codes[0];
  const headers: HeadersObject = {
    ...referTo('X-Request-Id', ...(OWN_HEADERS[status] ?? [])),
    'X-Error-Code': {
      required: true,
      description: 'A stable word for programs: it stays the same when the text changes',
      schema: { type: 'string', enum: codes, example },
    },
  };
  const schema = { $ref: getSchemaPath(ErrorBody) };
  return { description, headers, content: { 'application/json': { schema, example: { error } } } };
}

function referTo(...names: readonly string[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
