import { givenTill } from '../support/given.js';
import { documentFaults, mismatches, operationsOf, resolve, servedRoutes } from '../support/openapi.js';
import { day, OPTIONAL, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const EDGE = ['500', '503'];
const BODY_EDGE = ['408', '413', '415', ...EDGE];

describe('GET /api/v1/openapi.json', () => {
  let service: TestApp;
  let document: any;
  beforeAll(async () => {
    service = await createTestApp();
    document = (await service.client.get('/api/v1/openapi.json')).body;
  });
  afterAll(() => service.close());
  const operation = (name: string): any => new Map(operationsOf(document)).get(name);

  test('200: it is JSON, without a token, and the same every time', async () => {
    const first = await service.client.get('/api/v1/openapi.json');
    expect([first.status, first.headers.get('Content-Type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(first.body).toEqual(document);
  });

  test('another application in the same process describes itself alike', async () => {
    const other = await service.another();
    expect((await other.client.get('/api/v1/openapi.json')).body).toEqual(document);
  });

  test('it has every route that the router serves, and no other', () => {
    const served = servedRoutes(service);
    expect(served).toContain('POST /api/v1/sales/upload-daily');
    expect(
      operationsOf(document)
        .map(([name]) => name)
        .sort(),
    ).toEqual(served.sort());
  });

  test('every route has a summary of its own, a name of its own, and an answer with a body', () => {
    const operations = operationsOf(document).map(([, each]) => each);
    const names = operations.map(({ operationId }) => operationId);
    const summaries = operations.map(({ summary }) => summary);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(summaries).size).toBe(summaries.length);
    for (const [name, { summary, responses }] of operationsOf(document)) {
      expect({ name, summary }).toEqual({ name, summary: expect.stringMatching(/\w{3}/) });
      const [schema] = Object.keys(responses)
        .filter((status) => status < '300')
        .map((status) => responses[status].content?.['application/json'].schema);
      expect({ name, properties: resolve(document, schema)?.properties }).toEqual({
        name,
        properties: expect.any(Object),
      });
    }
  });

  test('it is OpenAPI 3.0', () => {
    expect(document).toMatchObject({ openapi: '3.0.3', info: { title: expect.any(String), version: '1' } });
    expect(documentFaults(document)).toEqual([]);
  });

  test.each([
    ['POST /api/v1/auth/login', ['200', '400', '401', '403', '429', ...BODY_EDGE]],
    ['POST /api/v1/auth/revoke', ['200', '400', '401', ...BODY_EDGE]],
    ['POST /api/v1/sales/upload-daily', ['200', '400', '401', '403', ...BODY_EDGE]],
    ['GET /api/v1/sales/daily', ['200', '400', '401', '403', ...EDGE]],
    ['GET /api/v1/sales/uploads', ['200', '400', '401', '403', ...EDGE]],
    ['GET /api/v1/sales/missing', ['200', '400', '401', '403', ...EDGE]],
    ['GET /api/v1/restaurants', ['200', '401', ...EDGE]],
    ['GET /api/v1/openapi.json', ['200', ...EDGE]],
    ['GET /health/live', ['200', ...EDGE]],
    ['GET /health/ready', ['200', ...EDGE]],
  ])('%s answers %j', (name, statuses) => {
    expect(Object.keys(operation(name).responses).sort()).toEqual([...statuses].sort());
  });

  test('whatever a route takes or needs, it tells the statuses that follow from it', () => {
    for (const [name, { security, parameters, requestBody, responses }] of operationsOf(document)) {
      const expected = [...(security ? ['401'] : []), ...(parameters.length > 0 ? ['400'] : []), ...EDGE];
      if (requestBody) expected.push('400', ...BODY_EDGE);
      expect({ name, statuses: Object.keys(responses) }).toEqual({ name, statuses: expect.arrayContaining(expected) });
    }
  });

  test('a token is asked for exactly where the service asks for one', async () => {
    for (const [name, { security }] of operationsOf(document)) {
      const [method = '', path = ''] = name.split(' ');
      const { headers } = await service.client.send(method, path);
      expect({ name, asked: security }).toEqual({
        name,
        asked: headers.get('X-Error-Code') === 'token_missing' ? [{ bearer: [] }] : undefined,
      });
    }
  });

  test('every error has the body {error} and its headers', () => {
    expect(document.components.schemas.Error).toMatchObject({
      required: ['error'],
      properties: { error: { type: 'string' } },
    });
    const headers = { '401': ['WWW-Authenticate'], '429': ['Retry-After'], '503': ['Retry-After'] } as Record<
      string,
      string[]
    >;
    for (const [, { responses }] of operationsOf(document)) {
      for (const [status, answer] of Object.entries(responses).filter(([key]) => key >= '400')) {
        const refusal = resolve(document, answer);
        expect(refusal.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
        expect(Object.keys(refusal.headers)).toEqual(['X-Request-Id', 'X-Error-Code', ...(headers[status] ?? [])]);
      }
    }
  });

  test('its bounds are the rules', () => {
    const { HourlySalesRecordDto: record, UploadDailyDto: upload, LoginDto: login } = document.components.schemas;
    const amount = { type: 'number', minimum: 0, maximum: 1e11, exclusiveMaximum: true };
    expect(upload).toMatchObject({
      required: ['records'],
      properties: { records: { type: 'array', minItems: 1, maxItems: 24 } },
    });
    expect(record.required).toEqual(Object.keys(record.properties).filter((name) => !(name in OPTIONAL)));
    expect(record.properties).toMatchObject({
      restaurant_id: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
      date: { type: 'string', format: 'date' },
      hour: { type: 'integer', minimum: 0, maximum: 23 },
      orders: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
      pax: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
      ...Object.fromEntries(
        ['gto', 'gst', 'svc', 'discount', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other'].map((name) => [
          name,
          amount,
        ]),
      ),
    });
    expect(login.properties.grant_type.enum).toEqual(['password']);
    expect(operation('POST /api/v1/auth/login').requestBody.required).toBe(true);
    expect(operation('POST /api/v1/auth/revoke').requestBody.required).toBe(false);
    expect(operation('GET /api/v1/sales/daily').parameters).toMatchObject([
      { name: 'restaurant_id', in: 'query', required: true, schema: { type: 'integer', minimum: 1 } },
      { name: 'date', in: 'query', required: true, schema: { type: 'string', format: 'date' } },
    ]);
    expect(operation('GET /api/v1/sales/uploads').parameters[2]).toMatchObject({ name: 'limit', required: false });
  });

  test('what the service answers is what the document says', async () => {
    const till = await givenTill(service);
    const { token } = till;
    const { client } = service;
    await client.upload(token, day());
    const query = 'restaurant_id=101&date=2025-10-15';
    const answers = {
      'POST /api/v1/auth/login': await client.login(till.username, till.password),
      'POST /api/v1/sales/upload-daily': await client.upload(token, [record({ gto: 1 })]),
      'GET /api/v1/sales/daily': await client.get(`/api/v1/sales/daily?${query}`, { token }),
      'GET /api/v1/sales/uploads': await client.get(`/api/v1/sales/uploads?${query}`, { token }),
      'GET /api/v1/sales/missing': await client.get('/api/v1/sales/missing?from=2025-10-14&to=2025-10-15', { token }),
      'GET /api/v1/restaurants': await client.get('/api/v1/restaurants', { token }),
      'GET /api/v1/openapi.json': await client.get('/api/v1/openapi.json'),
      'GET /health/live': await client.get('/health/live'),
      'GET /health/ready': await client.get('/health/ready'),
      'POST /api/v1/auth/revoke': await client.post('/api/v1/auth/revoke', {}, { token }),
    };
    for (const [name, { status, body }] of Object.entries(answers)) {
      const { schema } = operation(name).responses[status].content['application/json'];
      expect({ name, status, mismatches: mismatches(document, schema, body) }).toEqual({
        name,
        status: 200,
        mismatches: [],
      });
    }
  });
});
