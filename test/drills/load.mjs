import { Agent, request } from 'node:http';
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { SALES_FIELDS } from '../../dist/src/sales/fields/sales-fields.js';
import { CLI } from './process.mjs';

const CLIENTS = 8;
const PAUSE_MS = 10;
const TIMEOUT_MS = 15_000;
const AMOUNTS = SALES_FIELDS.flatMap(({ name, kind }) => (kind === 'amount' ? [name] : []));
export const RESTAURANTS = 50;

/** Uploads a new day at a time, without retries, and remembers which were acknowledged. */
export class Load {
  sent = 0;
  none = 0;
  longestGapMs = 0;
  slowestMs = 0;
  other = new Map();
  acknowledged = new Map();
  lastSuccessAt = performance.now();
  agent = new Agent({ keepAlive: true });

  /** `tokens` may grow; as a balancer does, a client goes to the next instance if one takes no connection. */
  constructor(urls, tokens) {
    Object.assign(this, { urls, tokens, running: true });
    this.clients = Array.from({ length: CLIENTS }, (_, index) => this.run(index));
  }

  async stop() {
    this.running = false;
    await Promise.all(this.clients);
    this.agent.destroy();
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

  async upload(number, client) {
    const day = dayOf(number);
    const records = Array.from({ length: 24 }, (_, hour) => ({ ...day, hour }));
    const token = this.tokens[number % this.tokens.length];
    for (let attempt = 0; ; attempt++) {
      const url = this.urls[(client + number + attempt) % this.urls.length];
      try {
        return (await post(`${url}/api/v1/sales/upload-daily`, { records }, token, this.agent))
          .status;
      } catch (error) {
        if (error.code !== 'ECONNREFUSED' || attempt + 1 >= this.urls.length) throw error;
      }
    }
  }
}

function dayOf(number) {
  const date = new Date(Date.UTC(2001, 0, 1 + Math.floor(number / RESTAURANTS)))
    .toISOString()
    .slice(0, 10);
  const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, 1.25]));
  return { restaurant_id: (number % RESTAURANTS) + 1, date, orders: number, pax: 3, ...amounts };
}

export function post(url, body, token, agent) {
  const text = JSON.stringify(body);
  const headers = {
    'Content-Type': 'application/json',
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers, timeout: TIMEOUT_MS },
      (response) => {
        let received = '';
        response.on('data', (data) => (received += data)).on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode, body: received }));
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no response'))).on('error', reject).end(text); // prettier-ignore
  });
}

export async function logIn(url) {
  const login = { grant_type: 'password', username: 'till', password: 'right password' };
  const { status, body } = await post(`${url}/api/v1/auth/login`, login);
  if (status !== 200) throw new Error(`login: ${status} ${body}`);
  return JSON.parse(body).access_token;
}

/** How many acknowledged uploads are not stored as sent, and in how many places the figures differ from the ledger. */
export async function prove(postgres, acknowledged) {
  const stored = await postgres.query(`
    SELECT restaurant_id || ' ' || date AS day, max(orders) AS number, count(*)::integer AS hours, min(orders) = max(orders) AS same
    FROM hourly_sales JOIN uploads USING (restaurant_id, date) GROUP BY restaurant_id, date`);
  const days = new Map(
    stored
      .filter(({ hours, same }) => hours === 24 && same)
      .map(({ day, number }) => [day, number]),
  );
  const lost = [...acknowledged].filter(([day, number]) => days.get(day) !== number).length;
  const env = { PATH: process.env.PATH, DATABASE_URL: postgres.url() };
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, 'sales', 'verify', '--json'], {
    env,
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`sales verify failed: ${stderr}`);
  return { lost, differences: JSON.parse(stdout).differences };
}
