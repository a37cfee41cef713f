import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeApi } from '../../src/api-description.js';
import { makeOpenApiDocument } from '../../src/http/openapi/openapi-document.js';
import type { Answer } from './client.js';
import type { TestApp } from './test-app.js';

/** The document does not describe itself. */
const DOCUMENT = '/api/v1/openapi.json';

/** `POST /api/v1/auth/login` for every route that the router serves, with its parameters as the document writes them. */
export function servedRoutes({ app }: Pick<TestApp, 'app'>): string[] {
  const { stack } = app.getHttpAdapter().getInstance().router;
  const routes = stack.map(({ route }: any) => route).filter((route: any) => route);
  return routes.flatMap(({ path, methods }: any) => {
    const written = path.replace(/:(\w+)/g, '{$1}');
    const names = path === DOCUMENT ? [] : Object.keys(methods);
    return names.map((method) => `${method.toUpperCase()} ${written}`);
  });
}

/** `[POST /api/v1/auth/login, operation]` for every operation of a document. */
export function operationsOf(document: any): [string, any][] {
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]): [string, any] => {
      return [`${method.toUpperCase()} ${path}`, operation];
    }),
  );
}

/** What a reference within the document points to; anything else as it is. Fails where it points to nothing. */
export function resolve(document: any, value: any): any {
  if (value?.$ref === undefined) return value;
  const names = String(value.$ref).split('/').slice(1);
  const found = names.reduce((node, name) => node?.[name], document);
  if (found === undefined) throw new Error(`${value.$ref} points to nothing`);
  return found;
}

/** A value that a schema admits, made of the examples of its fields, as tools make it. */
export function exampleOf(document: any, given: any): any {
  const schema = resolve(document, given);
  if (schema.type === 'array') return [exampleOf(document, schema.items)];
  if (!schema.properties) return schema.example;
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(document, field)]),
  );
}

export type Received = Omit<Answer, 'body'>;

/** Where a response differs from the document, a line each. A path or method that it does not have gets a shared error. */
export function responseMismatches(
  document: any,
  method: string,
  path: string,
  { status, headers, text }: Received,
): string[] {
  if (path === DOCUMENT && status === 200) return [];
  const operations = operationsOf(document);
  const request = `${method === 'HEAD' ? 'GET' : method} ${path.split('?')[0]}`;
  const isMeant = ([name]: [string, unknown]): boolean =>
    new RegExp(`^${name.replace(/\{[^}]+}/g, '[^/]+')}$`).test(request);
  const [known] = operations
    .filter(isMeant)
    .sort(([one], [other]) => one.split('{').length - other.split('{').length); // the most exact path
  const [, operation] =
    known ?? operations.find(([, { responses }]) => status >= 400 && responses[status]) ?? [];
  const response = resolve(document, operation?.responses[status]);
  if (!response) return [`status ${status} is not documented`];
  const headerMismatches = Object.entries<any>(response.headers).flatMap(([name, header]) => {
    const { schema, required } = resolve(document, header);
    const value = headers.get(name);
    if (value === null) return required ? [`header ${name} is missing`] : [];
    const parsed = schema.type === 'integer' ? Number(value) : value;
    return mismatches(document, schema, parsed, `header ${name}`);
  });
  const type = headers.get('Content-Type')?.split(';')[0] ?? '';
  const schema = response.content?.[type]?.schema;
  if (response.content && !schema) return [`${headers.get('Content-Type')} is not documented`];
  if (method === 'HEAD') return headerMismatches;
  if (!schema) return [...headerMismatches, ...(text === '' ? [] : ['a body'])];
  const body = /json$/.test(type) ? JSON.parse(text) : text;
  return [...headerMismatches, ...mismatches(document, schema, body)];
}

let document: Promise<any> | undefined;

/** The document of an application with these routes, made once per test run: @nestjs/swagger takes long to load. */
export function documentOf({ app }: Pick<TestApp, 'app'>): Promise<any> {
  const key = [__dirname, ...servedRoutes({ app })].join();
  const name = `openapi-${createHash('md5').update(key).digest('hex')}.json`;
  const file = join(process.env['TEST_RUN_DIR'] ?? '', name);
  document ??= readFile(file, 'utf8')
    .catch(async () => {
      const text = JSON.stringify(makeOpenApiDocument(app, describeApi('SGD')));
      await writeFile(`${file}.${process.pid}`, text);
      await rename(`${file}.${process.pid}`, file);
      return text;
    })
    .then((text) => JSON.parse(text));
  return document;
}

/** What in a value is not as its schema says, a line each: enough of JSON Schema for the answers of the service. */
export function mismatches(document: any, given: any, value: any, path = ''): string[] {
  const schema = resolve(document, given);
  if (value === null) return schema.nullable === true ? [] : [`${path} is null`];
  const type = Array.isArray(value) ? 'array' : typeof value;
  const isOfType = schema.type === 'integer' ? Number.isInteger(value) : type === schema.type;
  if (!isOfType) return [`${path} is no ${schema.type}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${path} is none of ${schema.enum}`];
  if (value < schema.minimum || value > schema.maximum) return [`${path} is out of bounds`];
  if (schema.type === 'array')
    return value.flatMap((entry: any, index: number) =>
      mismatches(document, schema.items, entry, `${path}[${index}]`),
    );
  if (schema.type !== 'object' || !schema.properties) return [];
  const missing = (schema.required ?? []).filter((name: string) => !(name in value));
  const ofFields = Object.entries(value).flatMap(([name, field]) => {
    const described = schema.properties[name];
    if (!described) return [`${path}.${name} is not described`];
    return mismatches(document, described, field, `${path}.${name}`);
  });
  return [...missing.map((name: string) => `${path}.${name} is missing`), ...ofFields];
}
