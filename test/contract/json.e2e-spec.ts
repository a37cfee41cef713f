import type { Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange } from '../support/raw-http.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('the body as JSON', () => {
  const LOGIN = '/api/v1/auth/login';
  const UPLOAD = '/api/v1/sales/upload-daily';
  const VALID = JSON.stringify({ records: [record()] });

  /** The valid upload with `inside` written into its record. */
  const withInside = (inside: string): string => VALID.replace('"hour":12', `"hour":12,${inside}`);

  let service: TestApp;
  let token: string;
  beforeAll(async () => {
    service = await createTestApp();
    token = (await givenTill(service)).token;
  });
  afterAll(() => service.close());

  const send = (body: string | Uint8Array, type = 'application/json') =>
    service.client.send('POST', UPLOAD, body, {
      Authorization: `Bearer ${token}`,
      'Content-Type': type,
    });
  const expectSaved = ({ status, text }: Answer): void =>
    expect([status, text]).toEqual([200, expect.stringContaining('"success":true')]);

  test.each<[type: string, status: number]>([
    ['Application/JSON', 200],
    ['application/json ; charset="UTF-8"', 200],
    ['application/json; odata=verbose; charset=utf8', 200],
    ['application/json;', 200],
    ['application/x-www-form-urlencoded', 400],
    ['application/json, text/plain', 400],
    ['application/octet-stream; x=application/json', 400],
    ['', 400],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=', 415],
  ])('the Content-Type %j gets %i, and an error says what to send', async (type, status) => {
    const answer = await send(VALID, type);
    if (status === 200) expectSaved(answer);
    else expectError(answer, status, status === 400 ? /Content-Type: application\/json/ : /utf-8/);
  });

  const NOT_JSON = 'the body is not valid JSON';
  const CUT = `${NOT_JSON}: it ends too early, at position`;
  const NOT_UTF8 = 'the body is not valid UTF-8, which JSON must be sent in';

  test.each<[string, string | Uint8Array, string]>([
    ['cut short', '{"records":[]', `${CUT} 13`],
    ['cut behind a line', '{"records": [\n', `${CUT} 14`],
    ['text behind it', '{"records":[]}x', `${NOT_JSON} at position 14`],
    ['a password without an end', '"hunter2', `${CUT} 8`],
    ['a password that V8 would quote', '{"password":hunter2}', `${NOT_JSON} at position 12`],
    ['a position in what V8 would quote', 'x at position 3', `${NOT_JSON} at position 0`],
    ...['NaN', '.5', '+5', "'5'", 'Infinity', 'undefined'].map(
      (value): [string, string, string] => [
        value,
        `{"records":[{"hour":${value}}]}`,
        `${NOT_JSON} at position 20`,
      ],
    ),
    ['a number with a zero before it', '{"hour":07}', `${NOT_JSON} at position 9`],
    ['a comma at an end', '{"hour":7,}', `${NOT_JSON} at position 10`],
    ['an invalid escape', '{"a":"b\\x"}', `${NOT_JSON} at position 7`],
    ['two byte order marks', `\ufeff\ufeff${VALID}`, `${NOT_JSON} at position 0`],
    ['48,000 open lists', '[[['.repeat(16_000), `${CUT} 48000`],
    ['UTF-16', Buffer.from(`\ufeff${VALID}`, 'utf16le'), NOT_UTF8],
    ['a surrogate', Buffer.concat([Buffer.from(VALID), Buffer.of(0xed, 0xa0, 0x80)]), NOT_UTF8],
  ])('%s is 400, and the text says where and quotes nothing', async (...row) => {
    const [, body, error] = row;
    const answer = await send(body);
    expectError(answer, 400);
    expect(answer.body.error.replace(/ \(line \d column \d+\)$/, '')).toBe(error);
    expect(answer.headers.has('X-Error-Fields')).toBe(false);
  });

  describe('JSON that is not an object with records', () => {
    test('is 400 if it is not an object', async () => {
      for (const body of ['null', '[]', '5', '"x"', 'true', '[{"records":[]}]'])
        for (const answer of [await send(body), await service.client.post(LOGIN, body)])
          expectError(answer, 400, /must be a JSON object/);
    });

    test('is 400 if there is no body at all', async () => {
      for (const headers of ['', 'Content-Length: 0\r\n', 'Transfer-Encoding: chunked\r\n']) {
        const end = headers.startsWith('Transfer') ? '0\r\n\r\n' : '';
        const head = `Host: x\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n${end}`;
        const answer = await exchange(service.url, `POST ${UPLOAD} HTTP/1.1\r\n${head}`);
        expectError(answer, 400);
        expect(answer.body.error).toBe('the body is empty: records is missing');
        expect(answer.headers.get('X-Error-Fields')).toBe('/records');
      }
    });

    test.each<[error: string, pointer: string, bodies: string]>([
      ['records is missing', '/records', '{} {"Records":[]} {"__proto__":{"records":[]}}'],
      ['records must be an array', '/records', '{"records":null} {"records":{}} {"records":"[]"}'],
      [
        'records is empty: a closed day is sent as records of zeros, unless head office has closed it',
        '/records',
        '{"records":[]}',
      ],
      ['records[0] must be an object', '/records/0', '{"records":[null]} {"records":["x"]}'],
      ['records[1] must be an object', '/records/1', VALID.replace(']}', ',[{}]]}')],
      ...['__proto__', 'constructor'].map((name): [string, string, string] => [
        'records[0].hour is missing',
        '/records/0/hour',
        VALID.replace('"hour":12', `"${name}":{"hour":12}`),
      ]),
    ])('is 400: %s', async (error, pointer, bodies) => {
      for (const body of bodies.split(' ')) {
        const answer = await send(body);
        expectError(answer, 400);
        expect(answer.body).toEqual({ error });
        expect(answer.headers.get('X-Error-Fields')).toBe(pointer);
      }
      expect(({} as Record<string, unknown>)['hour']).toBeUndefined();
    });
  });

  test.each<[string, string]>([
    ['a byte order mark', `\ufeff${VALID}`],
    ['unknown fields', withInside('"note":"x","Hour":99,"gto2":null,"":[]')],
    ['some beside records', `{"version":2,"records":${JSON.stringify(day())},"x":{"records":25}}`],
    ['a NUL and lone surrogates in them', withInside('"a":"\\u0000","\\udfff":"\\udc00\\ud800"')],
    ['names of the prototype', withInside('"__proto__":{"hour":99},"toString":1')],
    ['45,000 lists in each other', withInside(`"a":${'['.repeat(45_000)}${']'.repeat(45_000)}`)],
    ['colons in strings', withInside('"a":"09:00:00","b":{"c":"\\":\\"","d":[{"a":":"}]}')],
  ])('%s do not matter in a body', async (_name, body) => expectSaved(await send(body)));

  test.each<[error: string, pointer: string, body: string]>([
    ['records[0].gst is given twice', '/records/0/gst', withInside('"gst":-1')],
    ['records[0].hour is given twice', '/records/0/hour', withInside('"h\\u006fur":12')],
    ['records is given twice', '/records', VALID.replace('{', '{"records":[],')],
    [
      'records[3].other is given twice',
      '/records/3/other',
      JSON.stringify({ records: day() }).replace(/("hour":3,.*?)"other":/, '$1"other":5,"other":'),
    ],
    ['a[0][1].b is given twice', '/a/0/1/b', '{"a":[[":",{"b":":","c":{"b":1},"b":2}]]}'],
  ])(
    'a name that stands twice is 400, as the first value would be lost: %s',
    async (error, pointer, body) => {
      const answer = await send(body);
      expectError(answer, 400);
      expect(answer.body).toEqual({ error });
      expect(answer.headers.get('X-Error-Fields')).toBe(pointer);
      expect(answer.headers.get('X-Error-Code')).toBe('name_repeated');
    },
  );
});
