import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange } from '../support/raw-http.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const LOGIN = '/api/v1/auth/login';
const UPLOAD = '/api/v1/sales/upload-daily';
const VALID = JSON.stringify({ records: [record()] });

/** The valid upload with `inside` written into its record. */
const withInside = (inside: string): string => VALID.replace('"hour":12', `"hour":12,${inside}`);

describe('what the JSON of an upload holds', () => {
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
      const isTooLarge = body.length > 16_384; // for a public route
      expectError(await service.client.post(LOGIN, body), isTooLarge ? 413 : 400);
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
        expectError(await exchange(service.url, `POST ${UPLOAD} HTTP/1.1\r\n${head}`), 400, /records is missing/);
      }
    });

    test.each([
      '{}',
      '{"Records":[]}',
      '{"record":[]}',
      '{"records ":[]}',
      '{"__proto__":{"records":[]}}',
      '{"constructor":{}}',
    ])('400: %s: records is missing', async (body) => expectError(await json(body), 400, /"records is missing"/));

    test.each(['null', '{}', '{"0":{},"length":1}', '"[]"', '5', 'true', '{"length":25}', `"${'x'.repeat(50)}"`])(
      '400: records: %s: must be an array',
      async (records) => expectError(await json(`{"records":${records}}`), 400, /"records must be an array"/),
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
      ['space of all four kinds around every token', VALID.replace(/(?<=[{}[\],:])(?=["\d{}[\],:])/g, ' \t\r\n')],
      ['90 KB of space', ' '.repeat(45_000) + VALID + '\n'.repeat(45_000)],
      ['escapes in names', VALID.replace('"hour"', '"\\u0068our"').replace('"records"', '"re\\u0063ords"')],
      ['escapes in the date', VALID.replace('2025-10-15', '\\u0032025-10\\u002d15')],
      ['unknown fields', withInside('"note":"x","Hour":99,"gto2":null,"":[]')],
      ['unknown fields beside records', `{"version":2,"records":${JSON.stringify(day())},"x":{"records":25}}`],
      ['a NUL in an unknown field', withInside('"a":"\\u0000","\\u0000":1')],
      ['lone surrogates in an unknown field', withInside('"a":"\\ud800","\\udfff":"\\udc00\\ud800"')],
      ['names of the prototype', withInside('"__proto__":{"hour":99},"constructor":{"prototype":{}},"toString":1')],
      ['25 levels in an unknown field', withInside(`"a":${'['.repeat(25)}${']'.repeat(25)}`)],
      ['45,000 levels in an unknown field', withInside(`"a":${'['.repeat(45_000)}${']'.repeat(45_000)}`)],
      ['10,000 levels of objects', withInside(`"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)],
      ['a number of 10,000 digits in an unknown field', withInside(`"a":${'9'.repeat(10_000)}`)],
      ['a name given twice: the last counts', withInside('"gst":-1,"orders":"x"')],
      ['records given twice: the last counts', VALID.replace('{', '{"records":[],')],
      ['characters of four bytes', withInside('"a":"\u{1F9FE}","\u{1F9FE}":1')],
    ])('200: %s', async (_name, body) => {
      const answer = await json(body);
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"success":true')]);
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
