import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, rawRequest } from '../support/raw-http.js';
import { record, day } from '../support/records.js';
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

  describe('Content-Type', () => {
    test.each([
      'Application/JSON',
      'application/json;charset=utf-8',
      'application/json ; charset="UTF-8"',
      'application/json; charset=utf8',
      'application/json; odata=verbose; charset=utf-8',
      'application/json;',
    ])('200: %s', async (type) => expect((await send(VALID, type)).status).toBe(200));

    test.each([
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'application/problem+json',
      'application/jsonp',
      'application/json, text/plain',
      'application/octet-stream; x=application/json',
      '',
    ])('400: %j, and the text says what to send', async (type) =>
      expectError(await send(VALID, type), 400, /Content-Type: application\/json/),
    );

    test('400: none', async () => {
      const bytes = rawRequest(`POST ${UPLOAD}`, { Authorization: `Bearer ${token}` }, VALID);
      expectError(await exchange(service.url, bytes), 400, /Content-Type: application\/json/);
    });

    test.each(['utf-16', 'iso-8859-1', '', 'utf-8x'])('415: charset %j', async (charset) =>
      expectError(await send(VALID, `application/json; charset=${charset}`), 415, /utf-8/),
    );
  });

  describe('what is no JSON', () => {
    test.each<[string, string]>([
      ['cut short', VALID.slice(0, -1)],
      ['space alone', '   '],
      ['a comma behind the last entry', VALID.replace(']', ',]')],
      ['two documents', VALID + VALID],
      ['a NUL behind it', `${VALID}\0`],
      ['a comment before it', `// a day\n${VALID}`],
      ['single quotes', VALID.replaceAll('"', "'")],
      ['a name without quotes', VALID.replace('"hour"', 'hour')],
      ['a line break in a string', withInside('"a":"line\nbreak"')],
      ['half an escape', withInside('"a":"\\u12"')],
      ['a form', 'records=1'],
      ['two byte order marks', `\ufeff\ufeff${VALID}`],
      ['48,000 open lists', '[[['.repeat(16_000)],
    ])('400: %s', async (_name, body) => {
      expectError(await send(body), 400, /^\{"error":"the body is not valid JSON( at|")/);
    });

    test('400: the text says where, as far as V8 does', async () => {
      const position = VALID.length;
      expectError(await send(`${VALID}x`), 400, new RegExp(` JSON at position ${position}\\b`));
      const quoting = '{"a": x, " at position 3": 1}'; // V8 quotes what follows
      expectError(await send(quoting), 400, /^\{"error":"the body is not valid JSON"\}$/);
    });

    test('400: a number that JSON does not have', async () => {
      for (const number of 'NaN -Infinity +1 01 -01 1. .5 0x10 1e 1_000 1,5 --1'.split(' '))
        expectError(await send(VALID.replace('12,', `${number},`)), 400, /not valid JSON/);
    });

    test('400: the text never quotes the body, which may hold a password', async () => {
      for (const body of ['{"password":"hunter2"', '{"password":hunter2}', 'hunter2', '"hunter2']) {
        const answer = await service.client.post(LOGIN, body);
        expectError(answer, 400, /valid JSON/);
        expect(answer.text).not.toContain('hunter');
      }
    });

    test.each<[string, Uint8Array]>([
      ['UTF-16', Buffer.from(`\ufeff${VALID}`, 'utf16le')],
      ['Latin-1', Buffer.from(withInside('"a":"é"'), 'latin1')],
      ['a surrogate in UTF-8', Buffer.concat([Buffer.from(VALID), Buffer.of(0xed, 0xa0, 0x80)])],
      ['an overlong slash', Buffer.from(withInside('"a":"\xc0\xaf"'), 'latin1')],
      ['noise', Buffer.alloc(1000, 0xff)],
    ])('400: %s is no UTF-8', async (_name, bytes) =>
      expectError(await send(bytes), 400, /UTF-8|valid JSON/),
    );
  });

  describe('JSON that is no object with records', () => {
    test('400: anything but an object', async () => {
      for (const body of ['null', '[]', '5', '"x"', 'true', '[{"records":[]}]'])
        for (const answer of [await send(body), await service.client.post(LOGIN, body)])
          expectError(answer, 400, /must be a JSON object/);
    });

    test('400: no body at all', async () => {
      for (const headers of [
        '',
        'Content-Type: application/json\r\n',
        'Content-Length: 0\r\n',
        'Transfer-Encoding: chunked\r\n',
      ]) {
        const end = headers.startsWith('Transfer') ? '0\r\n\r\n' : '';
        const head = `Host: x\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n${end}`;
        const answer = await exchange(service.url, `POST ${UPLOAD} HTTP/1.1\r\n${head}`);
        expectError(answer, 400, /records is missing/);
      }
    });

    test.each<[text: string, bodies: string]>([
      [
        'records is missing',
        '{} {"Records":[]} {"records\u00a0":[]} {"__proto__":{"records":[]}} {"constructor":{}}',
      ],
      [
        'records must be an array',
        '{"records":null} {"records":{}} {"records":{"0":{},"length":1}} {"records":"[]"} {"records":5}',
      ],
      ['records is empty: a closed day is sent as records of zeros', '{"records":[]}'],
      [
        'records[0] must be an object',
        `{"records":[null]} {"records":["x"]} {"records":[5]} {"records":[[]]} {"records":[[{}]]}`,
      ],
      ['records[1] must be an object', VALID.replace(']}', ',[]]}')],
    ])('400: %s: %s', async (text, bodies) => {
      for (const body of bodies.split(' ')) {
        const answer = await send(body);
        expectError(answer, 400);
        expect(answer.body).toEqual({ error: text });
      }
    });
  });

  describe('JSON that is unusual, and taken', () => {
    const nested = (open: string, close: string, levels: number): string =>
      withInside(`"a":${open.repeat(levels)}1${close.repeat(levels)}`);

    test.each<[string, string]>([
      ['a byte order mark', `\ufeff${VALID}`],
      [
        'space of all four kinds around every token',
        VALID.replace(/(?<=[{}[\],:])(?=["\d{}[\],:])/g, ' \t\r\n'),
      ],
      ['escapes in names', VALID.replace('"hour"', '"\\u0068our"').replace('"re', '"\\u0072e')],
      ['escapes in the date', VALID.replace('2025-10-15', '\\u0032025-10\\u002d15')],
      ['unknown fields', withInside('"note":"x","Hour":99,"gto2":null,"":[]')],
      [
        'unknown fields beside records',
        `{"version":2,"records":${JSON.stringify(day())},"x":{"records":25}}`,
      ],
      ['a NUL and lone surrogates in them', withInside('"a":"\\u0000","\\udfff":"\\udc00\\ud800"')],
      [
        'names of the prototype',
        withInside('"__proto__":{"hour":99},"constructor":{"prototype":{}},"toString":1'),
      ],
      ['45,000 lists in each other', nested('[', ']', 45_000)],
      ['10,000 objects in each other', nested('{"a":', '}', 10_000)],
      ['a number of 10,000 digits in an unknown field', withInside(`"a":${'9'.repeat(10_000)}`)],
      ['a name given twice: the last counts', withInside('"gst":-1,"orders":"x"')],
      ['records given twice: the last counts', VALID.replace('{', '{"records":[],')],
    ])('200: %s', async (_name, body) => {
      const { status, text } = await send(body);
      expect([status, text]).toEqual([200, expect.stringContaining('"success":true')]);
    });

    test('prototypes are no way to hand in a value', async () => {
      const text = VALID.replace('"hour":12,', '');
      for (const name of ['__proto__', 'constructor', 'prototype'])
        expectError(
          await send(text.replace('[{', `[{"${name}":{"hour":12},`)),
          400,
          /"records\[0\].hour is missing"/,
        );
      expect(({} as Record<string, unknown>)['hour']).toBeUndefined();
    });
  });
});
