import { SALES_FIELDS } from '../../../dist/src/sales/fields/sales-fields.js';
import { PASSWORD } from '../../drills/load.mjs';

/** Those that uploads go to in turn. */
export const RESTAURANTS = 200;
export const FIRST_RESTAURANT = 10_001;

const VARIANTS = 8;
const FRESH_FROM = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;

/** Bodies that differ in every value, without their restaurant and date; in the last one an amount is negative. */
const bodies = Array.from({ length: VARIANTS + 1 }, (_, variant) => {
  const records = Array.from({ length: 24 }, (_, hour) => {
    const figures = SALES_FIELDS.map(({ name, kind }, index) => [
      name,
      valueOf(kind, hour * 131 + variant * 1009 + index * 17),
    ]);
    return { of: 'day', hour, ...Object.fromEntries(figures) };
  });
  if (variant === VARIANTS) records[17].gto = -1;
  return JSON.stringify({ records }).split('"of":"day"');
});

function valueOf(kind, seed) {
  return kind === 'count' ? 10 + (seed % 90) : (100_000 + ((seed * 7919) % 800_000)) / 100;
}

const sent = { fresh: 0, overwrite: 0 };

/** The next upload of a pattern: `fresh` no day twice; `overwrite` one day of each restaurant, each time with other values. */
export function nextUpload({ port, token, pattern, isNegative }) {
  const number = sent[pattern]++;
  const turn = Math.floor(number / RESTAURANTS);
  const restaurant = FIRST_RESTAURANT + (number % RESTAURANTS);
  const day = pattern === 'fresh' ? turn : -1;
  const date = new Date(FRESH_FROM + day * DAY_MS).toISOString().slice(0, 10);
  const variant = isNegative ? VARIANTS : turn % VARIANTS;
  return uploadRequest({ port, token, restaurant, date, variant });
}

export function uploadRequest({ port, token, restaurant, date, variant }) {
  const body = bodies[variant].join(`"restaurant_id":${restaurant},"date":"${date}"`);
  return post('sales/upload-daily', port, body, token && `Authorization: Bearer ${token}\r\n`);
}

export function loginRequest(port, restaurant) {
  const login = { grant_type: 'password', username: `till-${restaurant}`, password: PASSWORD };
  return post('auth/login', port, JSON.stringify(login));
}

/** Right logins of all tills in turn. */
export function loginsTo({ port }) {
  const requests = Array.from({ length: RESTAURANTS }, (_, index) =>
    loginRequest(port, FIRST_RESTAURANT + index),
  );
  let next = 0;
  return () => requests[next++ % RESTAURANTS];
}

function post(path, port, body, authorization = '') {
  return `POST /api/v1/${path} HTTP/1.1\r
Host: 127.0.0.1:${port}\r
Content-Type: application/json\r
${authorization}Content-Length: ${body.length}\r
\r
${body}`;
}
