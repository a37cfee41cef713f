import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { givenRestaurant, givenUser } from '../support/given.js';
import { documentOf } from '../support/openapi.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { postmanCollection } from './postman-collection.js';

const COMMITTED = join(__dirname, '../../docs/postman-collection.json');

/** Errors of a request that is not as the service wants it, whatever is stored. */
const MISTAKES = ['not_found', 'token_missing', 'token_invalid', 'invalid_json', 'invalid_request'];

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

test('the collection is made from the document; npm run collection writes it', async () => {
  const made = `${JSON.stringify(postmanCollection(await documentOf(service)), null, 2)}\n`;
  if (process.env['UPDATE_COLLECTION'] === '1') writeFileSync(COMMITTED, made);
  expect(readFileSync(COMMITTED, 'utf8')).toBe(made);
});

test('a stream of events is not in it', async () => {
  const document = structuredClone(await documentOf(service));
  const made = postmanCollection(document);
  const { get } = document.paths['/api/v1/restaurants'];
  const stream = { 'text/event-stream': { schema: { type: 'string' } } };
  document.paths['/api/v1/ticks'] = { get: { ...get, responses: { 200: { content: stream } } } };
  expect(postmanCollection(document)).toEqual(made);
});

test('its requests have an example of each answer', () => {
  const { item } = JSON.parse(readFileSync(COMMITTED, 'utf8'));
  const requests = item.flatMap((folder: any) => folder.item);
  const upload = requests.find(({ name }: any) => /^Upload/.test(name));
  const answers = upload.response.map(({ code, body }: any) => [
    code,
    Object.keys(JSON.parse(body)),
  ]);
  const error = ['error'];
  expect(answers).toEqual([
    [200, ['success', 'processed', 'message', 'version', 'changes', 'warnings', 'stored']],
    ...[400, 401, 403, 409, 413, 503].map((status) => [status, error]),
  ]);
  const header = upload.request.header.find(({ key }: any) => key === 'X-Upload-Source');
  expect(header).toMatchObject({ value: '', disabled: true });
  expect(requests.filter(({ response }: any) => response.length === 0)).toEqual([]);
});

test('its requests, sent in their order, are answered as the document says', async () => {
  const { item, variable, event: before } = JSON.parse(readFileSync(COMMITTED, 'utf8'));
  await givenRestaurant(service, 101);
  const password = 'demo-password';
  await givenUser(service, { username: 'demo', password, all_restaurants: true });
  const values = new Map<string, string>(variable.map(({ key, value }: any) => [key, value]));
  const fill = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (_mark, name) => values.get(name)!);
  values.set('baseUrl', '');
  const pm = {
    collectionVariables: {
      get: (name: string) => values.get(name),
      set: (name: string, value: string) => void values.set(name, value),
    },
  };
  runInNewContext(before[0].script.exec.join('\n'), { pm });
  const failed: string[] = [];
  const requests: any[] = item.flatMap((folder: any) => folder.item);
  const send = async (title: string): Promise<[status: number, code: string]> => {
    const { request, event } = requests.find(({ name }) => name === title);
    let path = fill(request.url.raw);
    for (const { key, value } of request.url.variable) path = path.replace(`:${key}`, fill(value));
    const token = request.auth?.type === 'noauth' ? undefined : values.get('token');
    const answer = await service.client.send(
      request.method,
      path,
      request.body && fill(request.body.raw),
      {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...Object.fromEntries(
          (request.header ?? [])
            .filter(({ disabled }: any) => !disabled)
            .map(({ key, value }: any) => [key, value]),
        ),
      },
    );
    const code = answer.headers.get('X-Error-Code') ?? '';
    const have = { status: (expected: number) => assert.equal(answer.status, expected) };
    const json = () => JSON.parse(answer.text) as unknown;
    const response = { code: answer.status, json, to: { have } };
    const test = (name: string, check: () => void) => {
      try {
        check();
      } catch {
        failed.push(`${title}: ${name}: ${answer.status} ${answer.text}`);
      }
    };
    for (const { script } of event ?? [])
      runInNewContext(script.exec.join('\n'), { pm: { ...pm, response, test } });
    return [answer.status, code];
  };
  const mistakes: string[] = [];
  for (const { name } of requests) {
    const [, code] = await send(name);
    if (MISTAKES.includes(code)) mistakes.push(`${name}: ${code}`);
  }
  expect(failed).toEqual([]);
  expect(values.get('date')).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(await service.database.query('SELECT FROM hourly_sales')).toEqual([]); // a dry run
  expect(mistakes).toEqual([
    'Change the own password: invalid_request', // the new one is empty
    'End the sessions of a person, as the provider says: invalid_request', // it sends a form
    'End one of the own sessions: not_found', // whose id is yet to be set
  ]);
  values.set('newPassword', 'noodles at the harbour');
  for (const title of ['Log in', 'Change the own password', 'Log in'])
    expect([title, ...(await send(title))]).toEqual([title, 200, '']);
});
