import type { TestApp } from './test-app.js';

/** `POST /api/v1/auth/login` for every route that the router serves. */
export function servedRoutes({ app }: TestApp): string[] {
  const { stack } = app.getHttpAdapter().getInstance().router;
  return stack.flatMap(({ route }: any) => {
    return route ? Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`) : [];
  });
}

/** `[POST /api/v1/auth/login, operation]` for every operation of a document. */
export function operationsOf(document: any): [string, any][] {
  return Object.entries<any>(document.paths).flatMap(([path, item]) => {
    return Object.entries<any>(item).map(([method, operation]): [string, any] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]);
  });
}

/** What a reference within the document points to; anything else as it is. Fails where it points to nothing. */
export function resolve(document: any, value: any): any {
  if (value?.$ref === undefined) return value;
  const found = String(value.$ref)
    .split('/')
    .slice(1)
    .reduce((node, name) => node?.[name], document);
  if (found === undefined) throw new Error(`${value.$ref} points to nothing`);
  return found;
}

/** What is not OpenAPI 3.0 in a document, a line each; a reference to nothing throws. */
export function documentFaults(document: any): string[] {
  const { schemas, responses, securitySchemes } = document.components;
  return [
    ...Object.entries(schemas).flatMap(([name, schema]) => schemaFaults(document, schema, name)),
    ...Object.entries(responses).flatMap(([name, answer]) => answerFaults(document, answer, name)),
    ...operationsOf(document).flatMap(([name, operation]) => [
      ...operation.parameters.flatMap((parameter: any) => [
        ...(parameter.name && /^(query|path|header)$/.test(parameter.in) ? [] : [`${name}: a parameter is nowhere`]),
        ...schemaFaults(document, parameter.schema, `${name} ${parameter.name}`),
      ]),
      ...contentFaults(document, operation.requestBody, name),
      ...Object.values(operation.responses).flatMap((answer) => answerFaults(document, answer, name)),
      ...(operation.security ?? [])
        .flatMap(Object.keys)
        .filter((scheme: string) => !securitySchemes[scheme])
        .map((scheme: string) => `${name}: ${scheme} is no security scheme`),
    ]),
  ];
}

function answerFaults(document: any, given: any, path: string): string[] {
  const answer = resolve(document, given);
  for (const header of Object.values(answer.headers)) resolve(document, header);
  return [...(answer.description ? [] : [`${path}: no description`]), ...contentFaults(document, answer, path)];
}

function contentFaults(document: any, { content = {} }: any = {}, path: string): string[] {
  return Object.values<any>(content).flatMap(({ schema }) => schemaFaults(document, schema, path));
}

const SCHEMA_WORDS = [
  'type', 'format', 'description', 'example', 'enum', 'minimum', 'maximum', 'exclusiveMaximum', 'minLength', 'maxLength',
  'pattern', 'minItems', 'maxItems', 'items', 'required', 'properties', 'additionalProperties', 'nullable', 'allOf', '$ref',
]; // prettier-ignore
const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

/** What is not OpenAPI 3.0 in a schema and all below it, a line each. */
function schemaFaults(document: any, schema: any, path: string): string[] {
  const faults = Object.keys(schema)
    .filter((word) => !SCHEMA_WORDS.includes(word))
    .map((word) => `${path}: ${word} is no word of a schema`);
  const say = (isFault: boolean, text: string) => isFault && faults.push(`${path}: ${text}`);
  if (schema.$ref !== undefined) {
    say(Object.keys(schema).length > 1, 'a reference has brothers');
    resolve(document, schema);
    return faults;
  }
  say(schema.allOf === undefined && !TYPES.includes(schema.type), `type ${schema.type}`);
  say(schema.type === 'array' && schema.items === undefined, 'an array of what?');
  for (const name of schema.required ?? [])
    say(schema.properties?.[name] === undefined, `${name} is required but unknown`);
  for (const word of ['minimum', 'maximum', 'minItems', 'maxItems']) {
    say(schema[word] !== undefined && typeof schema[word] !== 'number', `${word} is no number`);
  }
  for (const part of [...(schema.allOf ?? []), ...(schema.items ? [schema.items] : [])]) {
    faults.push(...schemaFaults(document, part, `${path}/items`));
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    faults.push(...schemaFaults(document, property, `${path}/${name}`));
  }
  return faults;
}

/** What in a value is not as its schema says, a line each: enough of JSON Schema for the answers of the service. */
export function mismatches(document: any, given: any, value: any, path = ''): string[] {
  const schema = resolve(document, given);
  if (value === null) return schema.nullable === true ? [] : [`${path} is null`];
  if (schema.allOf) return schema.allOf.flatMap((part: any) => mismatches(document, part, value, path));
  const isOf: Record<string, boolean> = {
    object: typeof value === 'object' && !Array.isArray(value),
    array: Array.isArray(value),
    string: typeof value === 'string',
    integer: Number.isInteger(value),
    number: typeof value === 'number',
    boolean: typeof value === 'boolean',
  };
  if (!isOf[schema.type]) return [`${path} is no ${schema.type}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${path} is none of ${schema.enum}`];
  if (value < schema.minimum || value > schema.maximum) return [`${path} is out of bounds`];
  if (schema.type === 'array') {
    return value.flatMap((entry: any, index: number) => mismatches(document, schema.items, entry, `${path}[${index}]`));
  }
  if (schema.type !== 'object' || !schema.properties) return [];
  const missing = (schema.required ?? []).filter((name: string) => !(name in value));
  const undescribed = Object.keys(value).filter((name) => !(name in schema.properties));
  return [
    ...missing.map((name: string) => `${path}.${name} is missing`),
    ...undescribed.map((name) => `${path}.${name} is not described`),
    ...Object.entries(schema.properties).flatMap(([name, property]) =>
      name in value ? mismatches(document, property, value[name], `${path}.${name}`) : [],
    ),
  ];
}
