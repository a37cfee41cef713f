import { setTimeout as delay } from 'node:timers/promises';
import { SALES_FIELDS } from '../../dist/src/sales/fields/sales-fields.js';
import { runCommand } from './programs.mjs';

const CLIENTS = 8;
const PAUSE_MS = 10;
const TIMEOUT_MS = 15_000;
const AMOUNTS = SALES_FIELDS.flatMap(({ name, kind }) => (kind === 'amount' ? [[name, 1.25]] : []));
export const RESTAURANTS = 50;
export const PASSWORD = 'right password';

/** Uploads a new day at a time, without retries, and remembers which were acknowledged. */
export class Load {
  sent = 0;
  none = 0;
  longestGapMs = 0;
  slowestMs = 0;
  other = new Map();
  acknowledged = new Map();
  lastSuccessAt = performance.now();
  running = true;

  /** `tokens` may grow. */
  constructor(urls, tokens) {
    Object.assign(this, { urls, tokens });
    this.clients = Array.from({ length: CLIENTS }, (_, index) => this.run(index));
  }

  async stop() {
    this.running = false;
    await Promise.all(this.clients);
  }

  /** What the report tells of it. */
  get figures() {
    const other = [...this.other].map(([status, count]) => `${count} x ${status}`).join(', ');
    const [gap, slowest] = [this.longestGapMs, this.slowestMs].map(
      (ms) => `${(ms / 1000).toFixed(1)} s`,
    );
    return { sent: this.sent, saved: this.acknowledged.size, other, none: this.none, gap, slowest };
  }

  async run(client) {
    while (this.running) {
      const number = ++this.sent;
      const since = performance.now();
      const status = await this.upload(number, client).catch(() => undefined);
      this.slowestMs = Math.max(this.slowestMs, performance.now() - since);
      if (status === 200) this.succeeded(number);
      else if (status === undefined) this.none++;
      else this.other.set(status, (this.other.get(status) ?? 0) + 1);
      await delay(PAUSE_MS);
    }
  }

  succeeded(number) {
    const now = performance.now();
    this.longestGapMs = Math.max(this.longestGapMs, now - this.lastSuccessAt);
    this.lastSuccessAt = now;
    const { restaurant_id, date } = dayOf(number);
    this.acknowledged.set(`${restaurant_id} ${date}`, number);
  }

  /** As a balancer does, a client goes to the next instance if one takes no connection. */
  async upload(number, client) {
    const records = Array.from({ length: 24 }, (_, hour) => ({ ...dayOf(number), hour }));
    const token = this.tokens[number % this.tokens.length];
    const send = async (attempt) => {
      const url = this.urls[(client + number + attempt) % this.urls.length];
      return (await post(`${url}/api/v1/sales/upload-daily`, { records }, token)).status;
    };
    return send(0).catch((error) => {
      if (error.cause?.code !== 'ECONNREFUSED') throw error;
      return send(1);
    });
  }
}

function dayOf(number) {
  const day = new Date(Date.UTC(2001, 0, 1 + Math.floor(number / RESTAURANTS)));
  const date = day.toISOString().slice(0, 10);
  const restaurant_id = (number % RESTAURANTS) + 1;
  return { restaurant_id, date, orders: number, pax: 3, ...Object.fromEntries(AMOUNTS) };
}

async function post(url, body, token) {
  const authorization = token && { Authorization: `Bearer ${token}` };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...authorization },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, text: await response.text() };
}

export async function logIn(url, username = 'till') {
  const login = { grant_type: 'password', username, password: PASSWORD };
  const { status, text } = await post(`${url}/api/v1/auth/login`, login);
  if (status !== 200) throw new Error(`login: ${status} ${text}`);
  return JSON.parse(text).access_token;
}

/** How many acknowledged uploads are not stored as sent; fails where the figures differ from the ledger. */
export async function countLost(postgres, acknowledged) {
  const stored = await postgres.query(`
    SELECT restaurant_id || ' ' || date AS day, max(orders) AS number
    FROM hourly_sales JOIN uploads USING (restaurant_id, date) GROUP BY restaurant_id, date
    HAVING count(*) = 24 AND min(orders) = max(orders)`);
  const days = new Map(stored.map(({ day, number }) => [day, number]));
  runCommand(postgres.url(), 'sales verify');
  return [...acknowledged].filter(([day, number]) => days.get(day) !== number).length;
}
