import { createHistogram, performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { HttpConnection } from './http-connection.mjs';
import { loginRequest, uploadRequest } from './requests.mjs';

/** Lets each till connect, log in, upload a day and disconnect, all at once; one that is turned away follows Retry-After. */
export async function serveTills({ port, tills, password, date }) {
  const seen = { turnedAway: 0, cutOff: 0, mostMs: 0, uploads: createHistogram() };
  const begin = performance.now();
  await Promise.all(tills.map((till) => serve({ ...till, port, password, date }, seen)));
  const seconds = (performance.now() - begin) / 1000;
  const { turnedAway, cutOff, mostMs, uploads } = seen;
  return { seconds, turnedAway, cutOff, mostMs, uploadP99: uploads.percentile(99) / 1000 };
}

async function serve({ port, username, password, restaurant, date }, seen) {
  const connection = new HttpConnection(port);
  const send = (bytes) => sendUntilServed(connection, bytes, seen);
  const login = await send(loginRequest({ port, username, password }));
  const { access_token: token } = JSON.parse(login.body.toString());
  const { ms } = await send(
    uploadRequest({ port, token, restaurant, date, variant: restaurant % 8 }),
  );
  seen.uploads.record(Math.max(1, Math.round(ms * 1000)));
  connection.close();
}

/** Resolves with the first 200, and with how long this last request took. */
async function sendUntilServed(connection, bytes, seen) {
  for (;;) {
    const begin = performance.now();
    const response = await connection.send(bytes).catch(() => undefined);
    const ms = performance.now() - begin;
    seen.mostMs = Math.max(seen.mostMs, ms);
    if (response?.status === 200) return { ...response, ms };
    connection.close(); // a till does not hold a connection while it waits
    if (response && response.status !== 503)
      throw new Error(`a till was answered ${response.status}`);
    if (response) seen.turnedAway++;
    else seen.cutOff++;
    await delay(Number(/retry-after: *(\d+)/i.exec(response?.head)?.[1] ?? 1) * 1000);
  }
}
