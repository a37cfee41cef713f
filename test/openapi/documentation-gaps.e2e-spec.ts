import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentGaps, guideGaps } from '../support/documentation-gaps.js';
import { operationsOf, servedRoutes } from '../support/openapi.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const readGuide = (name: string): string => readFileSync(join(__dirname, `../../docs/${name}.md`), 'utf8');
const guides = { integrating: readGuide('integrating'), operating: readGuide('operating') };
const codesOf = ({ responses }: any): string[] => responses.Forbidden.headers['X-Error-Code'].schema.enum;

let service: TestApp;
let document: any;
beforeAll(async () => {
  service = await createTestApp();
  document = (await service.client.get('/api/v1/openapi.json')).body;
});
afterAll(() => service.close());

const withChange = (change: (copy: any) => void): any => {
  const copy = structuredClone(document);
  change(copy);
  return copy;
};
const PATH = '/api/v1/restaurants';

test('the OpenAPI document has every route that is served, each with a summary, a name, a response body and examples', () => {
  expect(servedRoutes(service)).toContain('POST /api/v1/sales/upload-daily');
  expect(documentGaps(document, servedRoutes(service))).toEqual([]);
});

test.each<[RegExp, (copy: any) => void]>([
  [/^GET .*restaurants is served but/, ({ paths }) => Reflect.deleteProperty(paths, PATH)],
  [
    /^GET \/x is in the document but/,
    ({ paths }) => (paths['/x'] = { get: { summary: 'Some', responses: { 204: {} } } }),
  ],
  [/has no summary: add @ApiOperation/, ({ paths }) => delete paths[PATH].get.summary],
  [
    /has no response body: add @ApiResponses/,
    ({ paths }) => delete paths[PATH].get.responses[200].content['application/json'].schema,
  ],
  [/without an example/, ({ paths }) => delete paths[PATH].get.responses[200].content['application/json'].example],
  [
    /^LoginDto.username has no example: give it/,
    ({ components }) => delete components.schemas.LoginDto.properties.username.example,
  ],
  [/the operationId of GET .*: set another one/, ({ paths }) => (paths[PATH].get.operationId = 'getDay')],
  [/the summary of POST .*: set another one/, ({ paths }) => (paths[PATH].get.summary = 'Log in')],
])('a route without them is found: %s', (line, change) => {
  const present = documentGaps(document, servedRoutes(service));
  const found = documentGaps(withChange(change), servedRoutes(service));
  expect(found.filter((each) => !present.includes(each))).toEqual([expect.stringMatching(line)]);
});

/** Each was reviewed: it works for clients without a token. */
const PUBLIC_ROUTES = ['GET /api/v1/openapi.json', 'GET /health/live', 'GET /health/ready', 'POST /api/v1/auth/login'];

test('no route is public by mistake', () => {
  const routes = operationsOf(document).flatMap(([name, { security }]) => (security?.length > 0 ? [] : [name]));
  const remedy = 'take @Public() from the route, or list it in PUBLIC_ROUTES of this file';
  expect({ [remedy]: routes.sort() }).toEqual({ [remedy]: PUBLIC_ROUTES });
});

test('a response without a body needs none', () => {
  const copy = withChange(({ paths }) => (paths[PATH].get.responses = { 204: { description: 'Success' } }));
  expect(documentGaps(copy, servedRoutes(service))).toEqual([]);
});

test('its routes and error codes are those of the guides', () => {
  expect(guideGaps(document, guides)).toEqual([]);
});

test.each<[string, (copy: any) => void]>([
  [
    '/api/v1/unknown/{id} is in neither guide: describe it in docs/integrating.md',
    ({ paths }) => (paths['/api/v1/unknown/{id}'] = {}),
  ],
  [
    '/api/v1/sales is in neither guide: describe it in docs/integrating.md',
    ({ paths }) => (paths['/api/v1/sales'] = {}),
  ],
  [
    'add some_code to the error codes in docs/integrating.md',
    ({ components }) => codesOf(components).push('some_code'),
  ],
  [
    'no error has the code restaurant_not_granted: take it from docs/integrating.md',
    ({ components }) => codesOf(components).splice(codesOf(components).indexOf('restaurant_not_granted'), 1),
  ],
])('a gap in the guides is found: %s', (line, change) => {
  const present = guideGaps(document, guides);
  expect(guideGaps(withChange(change), guides).filter((each) => !present.includes(each))).toEqual([line]);
});
