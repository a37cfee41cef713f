import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiTypesOf } from '../support/api-types.js';
import { keptFolder } from '../support/kept-folder.js';
import { record } from '../support/records.js';
import { givenTill } from '../support/given.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const root = join(__dirname, '../..');

const CLIENT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

const [baseUrl = '', username = '', password = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl });

const login = await api.POST('/api/v1/auth/login', { body: { grant_type: 'password', username, password } });
if (!login.data) throw new Error(login.error.error);
const headers = { Authorization: \`\${login.data.token_type} \${login.data.access_token}\` };

const records: components['schemas']['HourlySalesRecordDto'][] = RECORDS;
const upload = await api.POST('/api/v1/sales/upload-daily', { body: { records }, headers });
if (!upload.data) throw new Error(upload.error.error);
const query = { restaurant_id: records[0]!.restaurant_id, date: records[0]!.date };
const day = await api.GET('/api/v1/sales/daily', { params: { query }, headers });
const gto: number | undefined = day.data?.totals.gto;
const rejected = await api.POST('/api/v1/sales/upload-daily', { body: { records: [] }, headers });
const text: string | undefined = rejected.error?.error;
console.log(JSON.stringify({ processed: upload.data.processed, gto, text }));
`;

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

/** Runs it while the service of this process responds. */
function run(program: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) => {
      if (error) reject(new Error(`${program}: ${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}

/** Compiles it below node_modules, where it finds its library. */
function compile(types: string, client: string): Promise<string> {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--types', 'node'];
  const flags = ['--module', 'nodenext', '--target', 'es2022', '--ignoreConfig', '--skipLibCheck', ...strict];
  return keptFolder('generated-client', [types, client, flags], async (folder) => {
    writeFileSync(join(folder, 'schema.ts'), types);
    writeFileSync(join(folder, 'client.mts'), client);
    await run(join(root, 'node_modules/typescript/bin/tsc'), join(folder, 'client.mts'), ...flags);
  });
}

test('A client generated from the document compiles under strict, logs in, uploads and reads back', async () => {
  const sent = [record({ hour: 1, gto: 1250.55 }), record({ hour: 2, gto: 0.1 })];
  const folder = await compile(await apiTypesOf(service), CLIENT.replace('RECORDS', JSON.stringify(sent)));
  const { username, password } = await givenTill(service);
  const printed = await run(join(folder, 'client.mjs'), service.url, username, password);
  expect(JSON.parse(printed)).toEqual({
    processed: 2,
    gto: 1250.65,
    text: expect.stringContaining('records is empty'),
  });
});
