import type { Answer } from './client.js';

const LEAKS =
  /\bat .+:\d+:\d+|node_modules|\.ts\b|\.js\b|SELECT |INSERT |pg_|postgres|constraint|numeric|undefined/i;

/** Asserts everything that every error has in common, then its status and what its text tells. */
export function expectError(answer: Answer, status: number, telling: RegExp = /./): void {
  expect({ status: answer.status, text: answer.text }).toEqual({
    status,
    text: expect.stringMatching(telling),
  });
  expectErrorForm(answer);
}

/** Exactly `{"error": "<text>"}`, as JSON, with the headers of every error, and no look behind the scenes. */
export function expectErrorForm({ status, headers, text, body }: Answer): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body).toEqual({ error: expect.stringMatching(/\S/) });
  expect(text).not.toMatch(LEAKS);
  expect(headers.get('Content-Type')).toMatch(/^application\/json(; charset=utf-8)?$/);
  expect(headers.get('Content-Length')).toBe(String(Buffer.byteLength(text)));
  expect(headers.get('X-Error-Code')).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(headers.get('X-Request-Id')).toMatch(/^[\w.-]{1,128}$/);
  expect(headers.get('X-Powered-By')).toBeNull();
  expect(headers.get('Set-Cookie')).toBeNull();
  expect(headers.has('WWW-Authenticate')).toBe(status === 401);
}
