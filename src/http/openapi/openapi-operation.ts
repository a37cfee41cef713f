import type { OpenAPIObject } from '@nestjs/swagger';
import { BEARER } from './openapi-base.js';
import { headersOf, SERVER_ERRORS } from './error-responses.js';
import type { Route } from '../routes.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type RequestBody = Extract<Operation['requestBody'], { content: object }>;

/** Adds to an operation what @nestjs/swagger does not know: the token, headers, and the errors that any route may send. */
export function completeOperation(operation: Operation, route: Route, schemas: Schemas): void {
  if (!route.isPublic) operation.security = [{ [BEARER]: [] }];
  if (route.guardedBody) operation.requestBody = { content: jsonOf(route.guardedBody) };
  if (operation.requestBody) markRequired(operation.requestBody as RequestBody, schemas);
  for (const status of [...(operation.requestBody ? SERVER_ERRORS.body : []), ...SERVER_ERRORS.any]) {
    operation.responses[status] ??= { description: '' };
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!response || '$ref' in response) continue;
    if (Number(status) >= 400 && response.description === '') {
      operation.responses[status] = { $ref: `#/components/responses/${status}` };
    } else {
      response.description ||= 'Done';
      response.headers = { ...headersOf(Number(status)), ...response.headers };
    }
  }
}

function jsonOf(model: new () => object): RequestBody['content'] {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${model.name}` } } };
}

/** A body may be left out where all of its fields may. */
function markRequired(body: RequestBody, schemas: Schemas): void {
  const schema = body.content['application/json']?.schema;
  const model = schema && '$ref' in schema ? schemas[schema.$ref.split('/').at(-1) ?? ''] : undefined;
  body.required = model !== undefined && 'required' in model && (model.required ?? []).length > 0;
}
