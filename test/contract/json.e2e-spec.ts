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

  const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    service.client.send('POST', UPLOAD, body, { Authorization: `Bearer ${token}`, ...headers });
  const json = (body: string | Uint8Array) => send(body, { 'Content-Type': 'application/json' });

  describe('Content-Type', () => {
    test.each([
      'application/json',
      'Application/JSON',
      'application/json;charset=utf-8',
      'application/json; charset=UTF-8',
      'application/json ; charset="utf-8"',
      'application/json; charset=utf8',
      'application/json; odata=verbose; charset=utf-8',
      'application/json;',
    ])('200: %s', async (type) => {
      expect((await send(VALID, { 'Content-Type': type })).status).toBe(200);
    });

    test.each([
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/problem+json',
      'application/jsonp',
      'application/json, text/plain',
      'application/octet-stream; x=application/json',
      'json',
      '/',
      '',
    ])('400: %j, and the text says what to send', async (type) => {
      expectError(
        await send(VALID, { 'Content-Type': type }),
        400,
        /Content-Type: application\/json/,
      );
    });

    test('400: none', async () => {
      const answer = await exchange(
        service.url,
        rawRequest(`POST ${UPLOAD}`, { Authorization: `Bearer ${token}` }, VALID),
      );
      expectError(answer, 400, /Content-Type: application\/json/);
    });

    test.each(['utf-16', 'iso-8859-1', 'utf-7', 'x', '', 'utf-8x'])(
      '415: charset %j',
      async (charset) => {
        expectError(
          await send(VALID, { 'Content-Type': `application/json; charset=${charset}` }),
          415,
          /utf-8/,
        );
      },
    );
  });

  describe('what is no JSON', () => {
    test.each<[string, string]>([
      ['a brace alone', '{'],
      ['cut short', VALID.slice(0, -1)],
      ['space alone', '   '],
      ['mixed brackets', '{"records": [}'],
      ['a comma behind the last entry', VALID.replace(']', ',]')],
      ['a letter behind it', `${VALID}x`],
      ['two documents', VALID + VALID],
      ['two documents in two lines', `${VALID}\n${VALID}`],
      ['a NUL behind it', `${VALID}\0`],
      ['a comment before it', `// a day\n${VALID}`],
      ['a comment in it', withInside('/* noon */"a":1')],
      ['single quotes', VALID.replaceAll('"', "'")],
      ['a name without quotes', VALID.replace('"hour"', 'hour')],
      ['= for a colon', VALID.replace('"hour":', '"hour"=')],
      ['a line break in a string', withInside('"a":"line\nbreak"')],
      ['a tab in a string', withInside('"a":"tab\t"')],
      ['an escape that is unknown', withInside('"a":"\\x41"')],
      ['half an escape', withInside('"a":"\\u12"')],
      ['undefined', 'undefined'],
      ['a form', 'records=1'],
      ['XML', '<records/>'],
      ['a no-break space', '\u00a0{}'],
      ['two byte order marks', `\ufeff\ufeff${VALID}`],
      ['48,000 open lists', '[[['.repeat(16_000)],
    ])('400: %s', async (_name, body) => {
      expectError(await json(body), 400, /^\{"error":"the body is not valid JSON( at|")/);
    });

    test('400: the text says where, as far as V8 does', async () => {
      const position = VALID.length;
      expectError(await json(`${VALID}x`), 400, new RegExp(` JSON at position ${position}\\b`));
      const quoting = '{"a": x, " at position 3": 1}'; // V8 quotes what follows
      expectError(await json(quoting), 400, /^\{"error":"the body is not valid JSON"\}$/);
    });

    test.each('NaN Infinity -Infinity +1 01 -01 1. .5 0x10 1e 1_000 1,5 True None --1'.split(' '))(
      '400: %s is no JSON number',
      async (number) => {
        const body = VALID.replace('"hour":12', `"hour":${number}`);
        expectError(await json(body), 400, /not valid JSON/);
      },
    );

    test('400: the text never quotes the body, which may hold a password', async () => {
      for (const body of [
        '{"password":"hunter2"',
        '{"password":hunter2}',
        '{"password":"hunter2\n"}',
        'hunter2',
        '"hunter2',
      ]) {
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
      ['half of a character', Buffer.from(withInside('"a":"\xe2\x82"'), 'latin1')],
      ['noise', Buffer.alloc(1000, 0xff)],
    ])('400: %s is no UTF-8', async (_name, bytes) => {
      expectError(await json(bytes), 400, /UTF-8|valid JSON/);
    });
  });

  describe('JSON that is no object with records', () => {
    test.each([
      'null',
      '[]',
      '5',
      '-0',
      '"x"',
      'true',
      '[{"records":[]}]',
      `"${'x'.repeat(50_000)}"`,
      '1'.repeat(10_000),
    ])('400: %s', async (body) => {
      expectError(await json(body), 400, /must be a JSON object/);
      const isPublicSize = body.length <= 16_384;
      if (isPublicSize) expectError(await service.client.post(LOGIN, body), 400, /JSON object/);
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
        expectError(
          await exchange(service.url, `POST ${UPLOAD} HTTP/1.1\r\n${head}`),
          400,
          /records is missing/,
        );
      }
    });

    test.each([
      '{}',
      '{"Records":[]}',
      '{"record":[]}',
      '{"records ":[]}',
      '{"__proto__":{"records":[]}}',
      '{"constructor":{}}',
    ])('400: %s: records is missing', async (body) =>
      expectError(await json(body), 400, /"records is missing"/),
    );

    test.each([
      'null',
      '{}',
      '{"0":{},"length":1}',
      '"[]"',
      '5',
      'true',
      '{"length":25}',
      `"${'x'.repeat(50)}"`,
    ])('400: records: %s: must be an array', async (records) =>
      expectError(await json(`{"records":${records}}`), 400, /"records must be an array"/),
    );

    test.each(['[]', '[ ]'])('400: records: %s: a closed day is sent as zeros', async (records) => {
      expectError(
        await json(`{"records":${records}}`),
        400,
        /records is empty: a closed day is sent as records of zeros/,
      );
    });

    test.each(['null', '"x"', '5', 'true', '[]', '[{}]', `[${VALID}]`, '[[[[]]]]'])(
      '400: an entry that is %s',
      async (entry) => {
        expectError(await json(`{"records":[${entry}]}`), 400, /records\[0\] must be an object/);
        const second = VALID.replace(/\]\}$/, `,${entry}]}`);
        expectError(await json(second), 400, /"records\[1\] must be an object"/);
      },
    );
  });

  describe('JSON that is unusual, and taken', () => {
    test.each<[string, string]>([
      ['a byte order mark', `\ufeff${VALID}`],
      [
        'space of all four kinds around every token',
        VALID.replace(/(?<=[{}[\],:])(?=["\d{}[\],:])/g, ' \t\r\n'),
      ],
      ['90 KB of space', ' '.repeat(45_000) + VALID + '\n'.repeat(45_000)],
      [
        'escapes in names',
        VALID.replace('"hour"', '"\\u0068our"').replace('"records"', '"re\\u0063ords"'),
      ],
      ['escapes in the date', VALID.replace('2025-10-15', '\\u0032025-10\\u002d15')],
      ['unknown fields', withInside('"note":"x","Hour":99,"gto2":null,"":[]')],
      [
        'unknown fields beside records',
        `{"version":2,"records":${JSON.stringify(day())},"x":{"records":25}}`,
      ],
      ['a NUL in an unknown field', withInside('"a":"\\u0000","\\u0000":1')],
      [
        'lone surrogates in an unknown field',
        withInside('"a":"\\ud800","\\udfff":"\\udc00\\ud800"'),
      ],
      [
        'names of the prototype',
        withInside('"__proto__":{"hour":99},"constructor":{"prototype":{}},"toString":1'),
      ],
      ['25 levels in an unknown field', withInside(`"a":${'['.repeat(25)}${']'.repeat(25)}`)],
      [
        '45,000 levels in an unknown field',
        withInside(`"a":${'['.repeat(45_000)}${']'.repeat(45_000)}`),
      ],
      [
        '10,000 levels of objects',
        withInside(`"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
      ],
      ['a number of 10,000 digits in an unknown field', withInside(`"a":${'9'.repeat(10_000)}`)],
      ['a name given twice: the last counts', withInside('"gst":-1,"orders":"x"')],
      ['records given twice: the last counts', VALID.replace('{', '{"records":[],')],
      ['characters of four bytes', withInside('"a":"\u{1F9FE}","\u{1F9FE}":1')],
    ])('200: %s', async (_name, body) => {
      const answer = await json(body);
      expect([answer.status, answer.text]).toEqual([
        200,
        expect.stringContaining('"success":true'),
      ]);
    });

    test('prototypes are no way to hand in a value', async () => {
      const { hour, ...rest } = record();
      const text = JSON.stringify({ records: [rest] });
      for (const name of ['__proto__', 'constructor', 'prototype']) {
        expectError(
          await json(text.replace('[{', `[{"${name}":{"hour":${String(hour)}},`)),
          400,
          /"records\[0\].hour is missing"/,
        );
      }
      expect(({} as Record<string, unknown>)['hour']).toBeUndefined();
    });
  });
});
