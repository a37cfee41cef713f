import type { OpenAPIObject } from '@nestjs/swagger';
import { BEARER } from './openapi-base.js';
import { EDGE_REFUSALS, headersOf } from './error-responses.js';
import { answersOf, summaryOf } from './openapi.decorator.js';
import type { Route } from '../routes.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type RequestBody = Extract<Operation['requestBody'], { content: object }>;

/** Adds to an operation, of which @nestjs/swagger knows the parameters, what its route is for, takes and answers. */
export function completeOperation(operation: Operation, route: Route, schemas: Schemas): void {
  const answers = answersOf(route.handler);
  const [success = '200'] = Object.keys(operation.responses);
  operation.summary = summaryOf(route.handler) ?? '';
  if (!route.isPublic) operation.security = [{ [BEARER]: [] }];
  if (route.guardedBody) operation.requestBody = { content: jsonOf(route.guardedBody) };
  if (operation.requestBody) markRequired(operation.requestBody as RequestBody, schemas);
  operation.responses = {
    [success]: { description: 'Done', headers: headersOf(200), ...(answers ? { content: jsonOf(answers.body) } : {}) },
  };
  const byEdge = [...(operation.requestBody ? EDGE_REFUSALS.body : []), ...EDGE_REFUSALS.any];
  for (const status of [...(answers?.refusals ?? []), ...byEdge]) {
    operation.responses[status] = { $ref: `#/components/responses/${status}` };
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
