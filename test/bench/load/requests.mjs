import { compare, hash } from 'bcrypt';
import { nthUpload, recordsOf, SAMPLE, VARIANTS } from './days.mjs';
import { HttpConnection } from './http-connection.mjs';

/** Blanks at the end bring all bodies to this length, so that one head fits all. */
const BODY_BYTES = 5_920;

/** What a load process can do over and over. Each returns `once(lane)` and `close()`. */
export const SOURCES = { uploads, logins, bcrypt };

function uploads(job) {
  const requests = new UploadRequests(job);
  const buffers = Array.from({ length: job.lanes }, () => Buffer.allocUnsafe(16_384));
  return overHttp(job, (lane) => requests.next(buffers[lane]));
}

function logins({ port, lanes, usernames, password }) {
  const requests = usernames.map((username) => loginRequest({ port, username, password }));
  let next = 0;
  return overHttp({ port, lanes }, () => requests[next++ % requests.length]);
}

function overHttp({ port, lanes }, nextRequest) {
  const connections = Array.from({ length: lanes }, () => new HttpConnection(port));
  return {
    once: async (lane) => (await connections[lane].send(nextRequest(lane))).status,
    close: () => connections.forEach((connection) => connection.close()),
  };
}

/** bcrypt by itself, as many comparisons in flight as there are lanes. */
async function bcrypt({ password, cost }) {
  const digest = await hash(password, cost);
  return {
    once: async () => ((await compare(password, digest)) ? 200 : 401),
    close: () => undefined,
  };
}

export function loginRequest({ port, username, password }) {
  const body = JSON.stringify({ grant_type: 'password', username, password });
  return Buffer.from(headOf('auth/login', port, undefined, Buffer.byteLength(body)) + body);
}

export function uploadRequest({ port, token, ...day }) {
  const body = JSON.stringify({ records: recordsOf(day) });
  return Buffer.from(headOf('sales/upload-daily', port, token, body.length) + body);
}

/**
 * Ready bytes of upload requests. The bodies are written once; only an upload's restaurant and date, which have the same
 * length in all, are put in anew. Restaurants therefore need identifiers of five digits.
 */
class UploadRequests {
  #job;
  #head;
  #bodies;
  #sent;

  constructor(job) {
    this.#job = job;
    this.#sent = job.first;
    this.#bodies = Array.from({ length: VARIANTS }, (_, variant) => bodyOf(variant, job.spoil));
    this.#head = Buffer.from(headOf('sales/upload-daily', job.port, job.token, BODY_BYTES));
  }

  /** Writes the next request into the buffer and returns the part that was written. */
  next(buffer) {
    const { restaurant, date, variant } = nthUpload(this.#job, this.#sent++);
    const { text, ids, dates } = this.#bodies[variant];
    const { length } = this.#head;
    this.#head.copy(buffer);
    text.copy(buffer, length);
    for (const place of ids) buffer.latin1Write(String(restaurant), length + place, 5);
    for (const place of dates) buffer.latin1Write(date, length + place, 10);
    return buffer.subarray(0, length + text.length);
  }
}

function bodyOf(variant, spoil) {
  const records = recordsOf({ ...SAMPLE, variant });
  if (spoil) records[17].gto = -1;
  const json = JSON.stringify({ records }).padEnd(BODY_BYTES);
  const places = (marker) =>
    [...json.matchAll(marker)].map(({ index }) => index + marker.source.length);
  return { text: Buffer.from(json), ids: places(/"restaurant_id":/g), dates: places(/"date":"/g) };
}

function headOf(path, port, token, length) {
  const lines = [
    `POST /api/v1/${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    `Content-Length: ${length}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
