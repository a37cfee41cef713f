import type {
  ComponentsObject,
  ContentObject,
  OperationObject,
  ReferenceObject,
  RequestBodyObject,
  SchemaObject,
} from '@nestjs/swagger';
import { errorResponse, GENERAL_ERRORS, headersOf } from './error-responses.js';

type SchemaOrReference = SchemaObject | ReferenceObject;

/** Adds examples, headers, and the errors of any route. */
export function completeOperation(operation: OperationObject, components: ComponentsObject): void {
  const { requestBody, responses } = operation;
  operation.description ??= operation.summary ?? '';
  operation.security ??= []; // no token
  operation.tags = operation.tags?.slice(-1) ?? []; // a route's own comes after its controller's
  if (requestBody) completeBody(requestBody as RequestBodyObject, components);
  for (const status of [...(requestBody ? GENERAL_ERRORS.body : []), ...GENERAL_ERRORS.any]) {
    responses[status] ??= { description: '' };
  }
  for (const [status, response] of Object.entries(responses)) {
    if (!response || '$ref' in response) continue;
    const error = errorResponse(Number(status));
    if (error && response.description === '') {
      components.responses![error.name] = error.response;
      responses[status] = { $ref: `#/components/responses/${error.name}` };
    } else {
      response.description ||= 'Success';
      response.headers = { ...headersOf(Number(status)), ...response.headers };
      if (error) response.content ??= error.response.content!;
      addExamples(response.content, components);
    }
  }
}

/** A body may be left out if all of its fields may. */
function completeBody(body: RequestBodyObject, components: ComponentsObject): void {
  const schema = resolve(body.content['application/json']?.schema, components);
  body.required = (schema?.required ?? []).length > 0;
  addExamples(body.content, components);
}

function addExamples(content: ContentObject | undefined, components: ComponentsObject): void {
  for (const media of Object.values(content ?? {})) {
    if (media.schema && !media.example && !media.examples) media.example = exampleOf(media.schema, components);
  }
}

function resolve(schema: SchemaOrReference | undefined, components: ComponentsObject): SchemaObject | undefined {
  if (!schema || !('$ref' in schema)) return schema;
  return components.schemas?.[schema.$ref.replace('#/components/schemas/', '')] as SchemaObject | undefined;
}

/**
 * Makes nullable fields optional, and copies the schemas of nullable objects into them.
 *
 * In OpenAPI 3.0 a reference does not admit null; generated clients in Python reject null in a required field.
 */
export function adaptNullables(components: ComponentsObject): void {
  for (const schema of Object.values(components.schemas ?? {})) {
    if (!('properties' in schema)) continue;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (!('nullable' in property)) continue;
      if (schema.required) schema.required = schema.required.filter((field) => field !== name);
      Object.assign(property, resolve(property.allOf?.[0], components), property);
      delete property.allOf;
    }
  }
}

/** A value that the schema admits. */
function exampleOf(given: SchemaOrReference | undefined, components: ComponentsObject): unknown {
  const schema = resolve(given, components) ?? {};
  const { type, items, properties = {}, minimum = 0 } = schema;
  if ('example' in schema) return schema.example;
  if (schema.nullable) return null;
  if (type === 'array') return [exampleOf(items, components)];
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field, components)]));
  }
  if (type === 'integer' || type === 'number') return minimum;
  return type === 'boolean' ? true : ((schema.enum?.[0] as unknown) ?? 'text');
}
