import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { exchange, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const LOGIN = '/api/v1/auth/login';
const UPLOAD = '/api/v1/sales/upload-daily';
const VALID = JSON.stringify({ records: [record()] });

/** The valid upload with `inside` written into its record. */
const withInside = (inside: string): string => VALID.replace('"hour":12', `"hour":12,${inside}`);

describe('the body as JSON', () => {
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
      expectError(await send(VALID, { 'Content-Type': type }), 400, /Content-Type: application\/json/);
      expectError(await service.client.send('POST', LOGIN, VALID, { 'Content-Type': type }), 400, /Content-Type/);
    });

    test('400: none', async () => {
      const answer = await exchange(
        service.url,
        rawRequest(`POST ${UPLOAD}`, { Authorization: `Bearer ${token}` }, VALID),
      );
      expectError(answer, 400, /Content-Type: application\/json/);
    });

    test.each(['utf-16', 'iso-8859-1', 'utf-7', 'x', '', 'utf-8x'])('415: charset %j', async (charset) => {
      expectError(await send(VALID, { 'Content-Type': `application/json; charset=${charset}` }), 415, /utf-8/);
    });
  });

  describe('what is no JSON', () => {
    test.each<[string, string, string]>([
      ['a brace alone', '{', 'it ends where a field name in double quotes or } is expected'],
      ['cut short', VALID.slice(0, -1), 'it ends where a comma or } is expected'],
      ['space alone', '   ', 'it ends where a value is expected'],
      ['mixed brackets', '{"records": [}', 'line 1, column 14: a value or ] is expected'],
      ['a comma behind the last entry', VALID.replace(']', ',]'), 'a value is expected'],
      ['a letter behind it', `${VALID}x`, `column ${VALID.length + 1}: the end of the text is expected`],
      ['two documents', VALID + VALID, 'the end of the text is expected'],
      ['two documents in two lines', `${VALID}\n${VALID}`, 'line 2, column 1: the end of the text is expected'],
      ['a NUL behind it', `${VALID}\0`, 'the end of the text is expected'],
      ['a comment before it', `// a day\n${VALID}`, 'line 1, column 1: a value is expected'],
      ['a comment in it', withInside('/* noon */"a":1'), 'is expected'],
      ['single quotes', VALID.replaceAll('"', "'"), 'a field name in double quotes or } is expected'],
      ['a name without quotes', VALID.replace('"hour"', 'hour'), 'a field name in double quotes is expected'],
      ['= for a colon', VALID.replace('"hour":', '"hour"='), 'a colon is expected'],
      ['a line break in a string', withInside('"a":"line\nbreak"'), 'the end of the string is expected'],
      ['a tab in a string', withInside('"a":"tab\t"'), 'the end of the string is expected'],
      ['an escape that is unknown', withInside('"a":"\\x41"'), 'the end of the string is expected'],
      ['half an escape', withInside('"a":"\\u12"'), 'the end of the string is expected'],
      ['undefined', 'undefined', 'a value is expected'],
      ['a form', 'records=1', 'a value is expected'],
      ['XML', '<records/>', 'a value is expected'],
      ['a no-break space', '\u00a0{}', 'a value is expected'],
      ['two byte order marks', `\ufeff\ufeff${VALID}`, 'a value is expected'],
      ['48,000 open lists', '[[['.repeat(16_000), 'it ends where a value or ] is expected'],
    ])('400: %s', async (_name, body, fault) => {
      const answer = await json(body);
      expectError(answer, 400, /^\{"error":"the body is not valid JSON: /);
      expect(answer.body.error).toContain(fault);
    });

    test.each([
      'NaN',
      'Infinity',
      '-Infinity',
      '+1',
      '01',
      '-01',
      '1.',
      '.5',
      '0x10',
      '1e',
      '1_000',
      '1,5',
      'True',
      'None',
      '--1',
    ])('400: %s is no JSON number', async (number) => {
      expectError(await json(VALID.replace('"hour":12', `"hour":${number}`)), 400, /valid JSON.*expected/);
      expectError(await json(VALID.replace('"gto":1250.5', `"gto":${number}`)), 400, /valid JSON.*expected/);
    });

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
});
