import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../measuring.mjs';
import { HttpConnection } from './http-connection.mjs';
import { FIRST_RESTAURANT, loginRequest, uploadRequest } from './requests.mjs';

/** Lets each till connect, log in, upload a day and disconnect, all at once; one that is turned away follows Retry-After. */
export async function serveTills(port, count, date) {
  const seen = { turnedAway: 0, cutOff: 0, mostMs: 0 };
  const begin = performance.now();
  const tills = Array.from({ length: count }, (_, index) =>
    serve(port, FIRST_RESTAURANT + index, date, seen),
  );
  const uploadP99 = percentile(await Promise.all(tills), 0.99);
  return { ...seen, uploadP99, seconds: (performance.now() - begin) / 1000 };
}

/** Resolves with how long the upload took. */
async function serve(port, restaurant, date, seen) {
  const connection = new HttpConnection(port);
  const login = await sendUntilServed(connection, loginRequest(port, restaurant), seen);
  const token = JSON.parse(login.body).access_token;
  const upload = uploadRequest({ port, token, restaurant, date, variant: restaurant % 8 });
  const { ms } = await sendUntilServed(connection, upload, seen);
  connection.close();
  return ms;
}

/** Resolves with the first 200, and with how long this last request took. */
async function sendUntilServed(connection, request, seen) {
  for (;;) {
    const begin = performance.now();
    const response = await connection.send(request).catch(() => undefined);
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
