import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SALES_FIELDS } from '../../dist/src/sales/fields/sales-fields.js';
import { runCommand } from './programs.mjs';

const CLIENTS = 8;
const PAUSE_MS = 10;
const TIMEOUT_MS = 15_000;
const VARIANTS = 8;
export const RESTAURANTS = 50;
export const PASSWORD = 'right password';

/**
 * One kept-alive HTTP connection that sends ready text and reads little of the response: a tenth of the CPU that a
 * general client takes, so that the load generator leaves the cores to what is measured.
 */
export class HttpConnection {
  #socket;
  #received;
  #settle;

  constructor(port) {
    this.port = port;
  }

  /** Resolves with the response; fails if the connection is closed before. */
  send(text) {
    this.#socket ??= this.#open();
    this.#socket.write(text, 'latin1');
    return new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  }

  /** The next request opens another. */
  close() {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open() {
    this.#received = '';
    let reason = new Error('the server closed the connection without a response');
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1').on('data', (text) => this.#take(text));
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    socket.on('error', (error) => (reason = error)); // it is closed next
    return socket.on('close', () => {
      if (this.#socket !== socket) return; // closed by us
      this.#socket = undefined;
      this.#settle.reject(reason);
    });
  }

  #take(text) {
    this.#received += text;
    const [head, body] = this.#received.split('\r\n\r\n', 2);
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (body === undefined || body.length < length) return;
    this.#received = '';
    if (/\nconnection: *close/i.test(head)) this.close();
    this.#settle.resolve({ status: Number(head.slice(9, 12)), head, body });
  }
}

/** Bodies whose figures differ, cut where each upload has something of its own. */
const bodies = Array.from({ length: VARIANTS }, (_, variant) => {
  const figures = SALES_FIELDS.filter(({ name }) => name !== 'orders');
  const records = Array.from({ length: 24 }, (_, hour) => {
    const values = figures.map(({ name, kind }, index) => {
      const seed = hour * 131 + variant * 1009 + index * 17;
      return [name, kind === 'count' ? 10 + (seed % 90) : 1000 + ((seed * 7919) % 800_000) / 100];
    });
    return { of: 'day', hour, ...Object.fromEntries(values) };
  });
  return JSON.stringify({ records }).split('"of":"day"');
});

/** An amount of the last record is negative. */
const negative = bodies[0].with(-1, bodies[0].at(-1).replace('"gto":', '"gto":-'));

/** The bytes of an upload of a day, in which `number` is stored as the orders of every hour. */
export function uploadRequest({ port, token, restaurant, date, number, isNegative }) {
  const own = `"restaurant_id":${restaurant},"date":"${date}","orders":${number}`;
  const body = (isNegative ? negative : bodies[number % VARIANTS]).join(own);
  return post('sales/upload-daily', port, body, token && `Authorization: Bearer ${token}\r\n`);
}

export function loginRequest(port, username) {
  const login = { grant_type: 'password', username, password: PASSWORD };
  return post('auth/login', port, JSON.stringify(login));
}

function post(path, port, body, authorization = '') {
  return `POST /api/v1/${path} HTTP/1.1\r
Host: 127.0.0.1:${port}\r
Content-Type: application/json\r
${authorization}Content-Length: ${body.length}\r
\r
${body}`;
}

/** Sends one request on a connection of its own. */
async function exchange(port, request) {
  const connection = new HttpConnection(port);
  return connection.send(request).finally(() => connection.close());
}

export async function logIn({ port }, username) {
  const { status, body } = await exchange(port, loginRequest(port, username));
  if (status !== 200) throw new Error(`login: ${status} ${body}`);
  return JSON.parse(body).access_token;
}

/** Uploads a new day at a time, without retries, and remembers which were acknowledged. */
export class Load {
  sent = 0;
  none = 0;
  longestGapMs = 0;
  slowestMs = 0;
  other = {};
  acknowledged = new Map();
  lastSuccessAt = performance.now();
  running = true;

  constructor(services, tokens) {
    Object.assign(this, { services, tokens });
    this.clients = Array.from({ length: CLIENTS }, () => this.run());
  }

  async stop() {
    this.running = false;
    await Promise.all(this.clients);
  }

  async run() {
    for (; this.running; await delay(PAUSE_MS)) {
      const number = ++this.sent;
      const restaurant = (number % RESTAURANTS) + 1;
      const day = new Date(Date.UTC(2001, 0, 1 + Math.floor(number / RESTAURANTS)));
      const date = day.toISOString().slice(0, 10);
      const token = this.tokens[number % this.tokens.length];
      const begin = performance.now();
      const sending = this.send({ token, restaurant, date, number });
      const status = await sending.catch(() => undefined);
      const now = performance.now();
      this.slowestMs = Math.max(this.slowestMs, now - begin);
      if (status === 200) {
        this.longestGapMs = Math.max(this.longestGapMs, now - this.lastSuccessAt);
        this.lastSuccessAt = now;
        this.acknowledged.set(`${restaurant} ${date}`, number);
      } else if (status === undefined) this.none++;
      else this.other[status] = (this.other[status] ?? 0) + 1;
    }
  }

  /** As a balancer does, it goes to the next instance if one takes no connection. */
  async send(upload, attempt = 0) {
    const { port } = this.services[(upload.number + attempt) % this.services.length];
    return exchange(port, uploadRequest({ port, ...upload })).then(
      ({ status }) => status,
      (error) => {
        if (error.code !== 'ECONNREFUSED' || attempt === 1) throw error;
        return this.send(upload, 1);
      },
    );
  }
}

/** How many acknowledged uploads are not stored as sent; fails where the figures differ from the ledger. */
export async function countLost(postgres, acknowledged) {
  const stored = await postgres.query(`
    SELECT restaurant_id || ' ' || date AS day, max(orders) AS number
    FROM hourly_sales JOIN uploads USING (restaurant_id, date) GROUP BY restaurant_id, date
    HAVING count(*) = 24 AND min(orders) = max(orders)`);
  const days = new Map(stored.map(({ day, number }) => [day, number]));
  await runCommand(postgres.url(), 'sales verify');
  return [...acknowledged].filter(([day, number]) => days.get(day) !== number).length;
}
