import { performance } from 'node:perf_hooks';
import { fillSales } from '../contestants/fill.mjs';
import { RESTAURANTS } from '../contestants/seed.mjs';
import { OLD_DAYS_FROM } from '../load/days.mjs';
import { runSql } from '../machine/postgres.mjs';
import { median } from '../measuring.mjs';

const COUNT = 1000;
const DAYS = 35;
const REQUESTS = 10;

/** Reads of a page that shows all restaurants: the calendar and the totals of five weeks, all days complete. */
export const overview = {
  name: 'overview',
  title: `Overview of ${COUNT} restaurants and ${DAYS} days, one request after the other`,
  async run(stage) {
    const { port, token } = await stage.another('bench_overview', fill);
    const from = new Date(Date.parse(OLD_DAYS_FROM) - (DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
    const range = `from=${from}&to=${OLD_DAYS_FROM}`;
    const rows = [];
    for (const path of [`calendar?${range}`, `totals?${range}`, `totals?${range}&restaurant_id=${RESTAURANTS.first}`]) {
      rows.push(await measure(`http://127.0.0.1:${port}/api/v1/sales/${path}`, token));
      stage.tell(`overview: ${path} ${Math.round(rows.at(-1)['median ms'])} ms`);
    }
    return rows;
  },
};

/** The restaurants that are not there yet are granted to the uploader as the others are. */
async function fill(url) {
  const last = RESTAURANTS.first + COUNT - 1;
  await runSql(
    url,
    `INSERT INTO restaurants (id, name) SELECT id, 'Restaurant ' || id FROM generate_series(${RESTAURANTS.first}, ${last}) AS id ON CONFLICT DO NOTHING`,
    'INSERT INTO restaurant_grants (user_id, restaurant_id) SELECT 1, id FROM restaurants ON CONFLICT DO NOTHING',
    'ANALYZE restaurants, restaurant_grants',
  );
  await fillSales(url, DAYS, { first: RESTAURANTS.first, count: COUNT });
}

async function measure(url, token) {
  const times = [];
  let bytes = 0;
  for (let request = 0; request < REQUESTS; request++) {
    const begin = performance.now();
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    bytes = (await response.text()).length;
    times.push(performance.now() - begin);
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  }
  const { pathname, search } = new URL(url);
  const restaurants = search.includes('restaurant_id') ? 1 : COUNT;
  return {
    read: pathname,
    restaurants,
    'median ms': median(times),
    'most ms': Math.max(...times),
    'response kB': bytes / 1000,
  };
}
