import { setTimeout as delay } from 'node:timers/promises';
import { HttpConnection, loginRequest, uploadRequest } from '../drills/load.mjs';
import { percentile } from './measuring.mjs';

/** Those that uploads go to in turn. */
export const RESTAURANTS = 200;
export const FIRST_RESTAURANT = 10_001;

const sent = { fresh: 0, overwrite: 0 };

/** The next upload of a pattern: `fresh` no day twice; `overwrite` one day of each restaurant, each time with other values. */
export function nextUpload({ pattern, ...upload }) {
  const turn = Math.floor(sent[pattern] / RESTAURANTS);
  const restaurant = FIRST_RESTAURANT + (sent[pattern]++ % RESTAURANTS);
  const day = new Date(Date.UTC(2000, 0, pattern === 'fresh' ? 1 + turn : 0));
  return uploadRequest({
    ...upload,
    restaurant,
    date: day.toISOString().slice(0, 10),
    number: turn,
  });
}

/** Right logins of all tills in turn. */
export function loginsTo({ port }) {
  const requests = Array.from({ length: RESTAURANTS }, (_, index) =>
    loginRequest(port, `till-${FIRST_RESTAURANT + index}`),
  );
  let next = 0;
  return () => requests[next++ % RESTAURANTS];
}

/** Lets each till connect, log in, upload a day and disconnect, all at once. */
export async function serveTills(port, count, date) {
  const seen = { 'longest wait s': 0, 'turned away': 0, 'without a response': 0 };
  const begin = performance.now();
  /** Resolves with how long the upload took. */
  const serve = async (_, index) => {
    const restaurant = FIRST_RESTAURANT + index;
    const connection = new HttpConnection(port);
    const login = await sendUntilServed(connection, loginRequest(port, `till-${restaurant}`), seen);
    const token = JSON.parse(login.body).access_token;
    const upload = uploadRequest({ port, token, restaurant, date, number: restaurant });
    const { ms } = await sendUntilServed(connection, upload, seen);
    connection.close();
    return ms;
  };
  const uploads = await Promise.all(Array.from({ length: count }, serve));
  const seconds = (performance.now() - begin) / 1000;
  return { ...seen, 'p99 of uploads ms': percentile(uploads, 0.99), seconds };
}

/** Resolves with the first 200, and with how long this last request took; one that is turned away follows Retry-After. */
async function sendUntilServed(connection, request, seen) {
  for (;;) {
    const begin = performance.now();
    const response = await connection.send(request).catch(() => undefined);
    const ms = performance.now() - begin;
    seen['longest wait s'] = Math.max(seen['longest wait s'], ms / 1000);
    if (response?.status === 200) return { ...response, ms };
    connection.close(); // a till does not hold a connection while it waits
    if (response && response.status !== 503)
      throw new Error(`a till was answered ${response.status}`);
    seen[response ? 'turned away' : 'without a response']++;
    await delay(Number(/retry-after: *(\d+)/i.exec(response?.head)?.[1] ?? 1) * 1000);
  }
}
