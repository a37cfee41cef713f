import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('the collection is made from the document; npm run web:types writes it', async () => {
  const made = `${JSON.stringify(postmanCollection(await documentOf(service)), null, 2)}\n`;
  if (process.env['UPDATE_API_TYPES'] === '1') writeFileSync(COMMITTED, made);
  expect(readFileSync(COMMITTED, 'utf8')).toBe(made);
});

test('its requests, sent in their order, are answered as the document says', async () => {
  const { item, variable } = JSON.parse(readFileSync(COMMITTED, 'utf8'));
  await givenRestaurant(service, 101);
  const password = 'demo-password';
  await givenUser(service, { username: 'demo', password, all_restaurants: true });
  const values = new Map<string, string>(variable.map(({ key, value }: any) => [key, value]));
  const fill = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (_mark, name) => values.get(name)!);
  values.set('baseUrl', '');
  const mistakes: string[] = [];
  for (const { name, request, event } of item.flatMap((folder: any) => folder.item)) {
    let path = fill(request.url.raw);
    for (const { key, value } of request.url.variable) path = path.replace(`:${key}`, value);
    const token = request.auth?.type === 'noauth' ? undefined : values.get('token');
    const answer = await service.client.send(
      request.method,
      path,
      request.body && fill(request.body.raw),
      {
        'Content-Type': 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
      },
    );
    const code = answer.headers.get('X-Error-Code') ?? '';
    if (MISTAKES.includes(code)) mistakes.push(`${name}: ${code}`);
    if (event && answer.status === 200) values.set('token', JSON.parse(answer.text).access_token);
  }
  expect(mistakes).toEqual(['Change the own password: invalid_request']); // the new one is empty
});
