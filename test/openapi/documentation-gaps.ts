import { operationsOf, resolve } from '../support/openapi.js';

/** What the OpenAPI document lacks, a line each with its remedy. */
export function documentGaps(document: any, served: readonly string[]): string[] {
  const operations = operationsOf(document);
  const names = operations.map(([name]) => name);
  return [
    ...less(served, names).map((name) => `${name} is served but not in the document`),
    ...less(names, served).map((name) => `${name} is in the document but not served`),
    ...operations.flatMap(([name, operation]) => operationGaps(document, name, operation)),
    ...fieldsWithoutExample(document),
    ...repeatedSummaries(operations),
  ];
}

function less(all: Iterable<string>, others: readonly string[]): string[] {
  return [...all].filter((each) => !others.includes(each));
}

function operationGaps(document: any, name: string, operation: any): string[] {
  const { responses, parameters = [], requestBody } = operation;
  const body = resolve(document, requestBody?.content?.['application/json']?.schema);
  const isOfRestaurant =
    'restaurant_id' in (body?.properties ?? {}) ||
    parameters.some((each: any) => resolve(document, each).name === 'restaurant_id');
  const success: any = Object.entries(responses).find(([status]) => status < '300')?.[1];
  const isFile = success?.content !== undefined && !success.content['application/json'];
  const schema = resolve(document, success?.content?.['application/json']?.schema);
  const gaps: string[] = [];
  if (schema?.type === 'array')
    gaps.push(`${name} returns an array: return an object with it, to which pages can be added`);
  else if (!('204' in responses || isFile || schema?.properties))
    gaps.push(
      `${name} has no response body: add @ApiResponses(ResponseDto, ...), or @HttpCode(204)`,
    );
  if (isOfRestaurant && !('403' in responses))
    gaps.push(`${name} takes a restaurant_id and documents no 403: add it to @ApiResponses`);
  return gaps;
}

/** Lists and objects have the examples of their fields; null is one for what may be null. */
function fieldsWithoutExample({ components }: any): string[] {
  const schemas = Object.entries<any>(components.schemas).filter(([name]) => name !== 'ErrorBody');
  return schemas.flatMap(([schema, { properties = {} }]) =>
    Object.entries<any>(properties)
      .filter(
        ([, { type, nullable }]) => !['object', 'array', undefined].includes(type) && !nullable,
      )
      .filter(([, field]) => !('example' in field))
      .map(([name]) => `${schema}.${name} has no example: give it to the decorator of the field`),
  );
}

function repeatedSummaries(operations: readonly [string, any][]): string[] {
  return operations.flatMap(([name, { summary }], index) => {
    const first = operations.findIndex(([, operation]) => operation.summary === summary);
    if (first === index) return [];
    const remedy = 'set another one with @ApiOperation({ summary })';
    return [`${name} has the summary of ${operations[first]![0]}: ${remedy}`];
  });
}

/** Which error codes the reference lacks, and which only it has; the document describes the routes. */
export function guideGaps(document: any, reference: string): string[] {
  const responses: any[] = Object.values(document.components.responses);
  const codes = responses.flatMap(({ headers }) => headers['X-Error-Code'].schema.enum as string[]);
  const rows = reference
    .split('\n')
    // the proxies of deploy/ send codes of their own
    .filter((line) => /^\| \d{3}/.test(line) && !line.includes('from the proxy'));
  const cells = rows.map((row) => row.split('|')[2]!).join();
  const listed = [...cells.matchAll(/`([a-z_]+)`/g)].map((match) => match[1]!);
  const page = 'docs/reference.md';
  return [
    ...less(new Set(codes), listed).map((code) => `add ${code} to the error codes in ${page}`),
    ...less(new Set(listed), codes).map(
      (code) => `no error has the code ${code}: take it from ${page}`,
    ),
  ];
}
