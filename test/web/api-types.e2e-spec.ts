import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentOf } from '../support/openapi.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const root = join(__dirname, '../..');
const committed = join(root, 'web/src/api/schema.d.ts');

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

test('the types of the page are those of the OpenAPI document; npm run web:types writes them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sales-upload-types-'));
  const document = join(folder, 'openapi.json');
  const written = join(folder, 'schema.d.ts');
  writeFileSync(document, JSON.stringify(await documentOf(service)));
  const cli = join(root, 'node_modules/openapi-typescript/bin/cli.js');
  const { status, stderr } = spawnSync(process.execPath, [cli, document, '-o', written], { encoding: 'utf8' });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  const types = readFileSync(written, 'utf8');
  rmSync(folder, { recursive: true });
  if (process.env['UPDATE_API_TYPES'] === '1') writeFileSync(committed, types);
  expect(readFileSync(committed, 'utf8')).toBe(types);
});
