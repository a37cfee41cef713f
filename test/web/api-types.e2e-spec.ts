import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiTypesOf } from '../openapi/api-types.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const committed = join(__dirname, '../../web/src/api/schema.d.ts');

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

test('the types of the page are those of the OpenAPI document; npm run web:types writes them', async () => {
  const types = await apiTypesOf(service);
  if (process.env['UPDATE_API_TYPES'] === '1') writeFileSync(committed, types);
  expect(readFileSync(committed, 'utf8')).toBe(types);
});
