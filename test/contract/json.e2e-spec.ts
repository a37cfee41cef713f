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

  describe('Content-Type', () => {
    test.each([
      'Application/JSON',
      'application/json ; charset="UTF-8"',
      'application/json; odata=verbose; charset=utf8',
      'application/json;',
    ])('200: %s', async (type) => expect((await send(VALID, type)).status).toBe(200));

    test.each([
      'text/json',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json, text/plain',
      'application/octet-stream; x=application/json',
      '',
    ])('400: %j, and the text says what to send', async (type) =>
      expectError(await send(VALID, type), 400, /Content-Type: application\/json/),
    );

    test.each(['utf-16', '', 'utf-8x'])('415: charset %j', async (charset) =>
      expectError(await send(VALID, `application/json; charset=${charset}`), 415, /utf-8/),
    );
  });

  describe('what is no JSON', () => {
    test.each<[string, string, RegExp]>([
      ['cut short', VALID.slice(0, -1), /JSON at position \d+/],
      ['text behind it', `${VALID}x`, new RegExp(` JSON at position ${VALID.length}\\b`)],
      ['what V8 would quote', '{"a": x, " at position 3": 1}', / JSON"}$/],
      ['space alone', '   ', / JSON"}$/],
      ['NaN', VALID.replace('12,', 'NaN,'), / JSON"}$/],
      ['a form', 'records=1', / JSON"}$/],
      ['two byte order marks', `\ufeff\ufeff${VALID}`, / JSON"}$/],
      ['48,000 open lists', '[[['.repeat(16_000), / JSON"}$/],
    ])('400: %s; the text says where, as far as V8 does', async (_name, body, text) => {
      const answer = await send(body);
      expectError(answer, 400, /^\{"error":"the body is not valid JSON( at|")/);
      expectError(answer, 400, text);
      expect(answer.headers.has('X-Error-Fields')).toBe(false);
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
      ['a surrogate', Buffer.concat([Buffer.from(VALID), Buffer.of(0xed, 0xa0, 0x80)])],
    ])('400: %s is no UTF-8', async (_name, bytes) => expectError(await send(bytes), 400, /UTF-8/));
  });

  describe('JSON that is no object with records', () => {
    test('400: anything but an object', async () => {
      for (const body of ['null', '[]', '5', '"x"', 'true', '[{"records":[]}]'])
        for (const answer of [await send(body), await service.client.post(LOGIN, body)])
          expectError(answer, 400, /must be a JSON object/);
    });

    test('400: no body at all', async () => {
      for (const headers of ['', 'Content-Length: 0\r\n', 'Transfer-Encoding: chunked\r\n']) {
        const end = headers.startsWith('Transfer') ? '0\r\n\r\n' : '';
        const head = `Host: x\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n${end}`;
        const answer = await exchange(service.url, `POST ${UPLOAD} HTTP/1.1\r\n${head}`);
        expectError(answer, 400, /records is missing/);
      }
    });

    test.each<[error: string, pointer: string, bodies: string]>([
      ['records is missing', '/records', '{} {"Records":[]} {"__proto__":{"records":[]}}'],
      ['records must be an array', '/records', '{"records":null} {"records":{}} {"records":"[]"}'],
      ['records is empty: a closed day is sent as records of zeros', '/records', '{"records":[]}'],
      ['records[0] must be an object', '/records/0', '{"records":[null]} {"records":["x"]}'],
      ['records[1] must be an object', '/records/1', VALID.replace(']}', ',[{}]]}')],
    ])('400: %s', async (error, pointer, bodies) => {
      for (const body of bodies.split(' ')) {
        const answer = await send(body);
        expectError(answer, 400);
        expect(answer.body).toEqual({ error });
        expect(answer.headers.get('X-Error-Fields')).toBe(pointer);
      }
    });
  });

  describe('JSON that is unusual, and taken', () => {
    const nested = (open: string, close: string, levels: number): string =>
      withInside(`"a":${open.repeat(levels)}1${close.repeat(levels)}`);
    const BESIDE = `{"version":2,"records":${JSON.stringify(day())},"x":{"records":25}}`;

    test.each<[string, string]>([
      ['a byte order mark', `\ufeff${VALID}`],
      ['unknown fields', withInside('"note":"x","Hour":99,"gto2":null,"":[]')],
      ['unknown fields beside records', BESIDE],
      ['a NUL and lone surrogates in them', withInside('"a":"\\u0000","\\udfff":"\\udc00\\ud800"')],
      ['names of the prototype', withInside('"__proto__":{"hour":99},"toString":1')],
      ['45,000 lists in each other', nested('[', ']', 45_000)],
      ['10,000 objects in each other', nested('{"a":', '}', 10_000)],
      ['a name given twice: the last counts', withInside('"gst":-1,"orders":"x"')],
      ['records given twice: the last counts', VALID.replace('{', '{"records":[],')],
    ])('200: %s', async (_name, body) => {
      const { status, text } = await send(body);
      expect([status, text]).toEqual([200, expect.stringContaining('"success":true')]);
    });

    test('prototypes are no way to hand in a value', async () => {
      const text = VALID.replace('"hour":12,', '');
      for (const name of ['__proto__', 'constructor', 'prototype']) {
        const answer = await send(text.replace('[{', `[{"${name}":{"hour":12},`));
        expectError(answer, 400, /"records\[0\].hour is missing"/);
      }
      expect(({} as Record<string, unknown>)['hour']).toBeUndefined();
    });
  });
});
