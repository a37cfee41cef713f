import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { compare, hash } from 'bcrypt';
import { LoginConfig } from '../../dist/src/config/login.config.js';
import { PASSWORD } from '../drills/load.mjs';
import { query } from '../drills/postgres.mjs';
import { loginsTo, nextUpload, serveTills } from './load.mjs';
import { page } from './page.mjs';
import { reports } from './reports.mjs';
import {
  figuresOf,
  measureRequests,
  measureSlot,
  ratioOf,
  residentMegabytes,
  takeTurns,
} from './measuring.mjs';

const { BCRYPT_COST: DEFAULT_COST, HASH_QUEUE_MAX } = new LoginConfig();

/** V8 takes some ten thousand requests of a kind to compile all of the service's code. */
const WARM_UP_REQUESTS = 10_000;

/** The processes, and kinds of requests, that have worked before. */
const warm = new Set();

/** Measures uploads to a contestant, whose process is warm by then. */
async function measureUploads(stage, { service, token }, { change = {}, ...slot }) {
  const upload = { port: service.port, token, pattern: slot.pattern, ...change };
  const next = () => nextUpload(upload);
  const measure = (seconds) => measureRequests(stage, service, { seconds, ...slot, next });
  const kind = `${service.pid} ${slot.expected}`;
  for (let sent = 0; sent < WARM_UP_REQUESTS && !warm.has(kind);) sent += (await measure(2)).calls;
  warm.add(kind);
  return measure(stage.options.seconds);
}

/** Uploads to all contestants in turn; a row for each case, a label with a slot or as a slot. */
async function compareUploads(stage, cases) {
  const rows = [];
  for (const [label, slot = label] of cases) {
    const title = Object.values(label).join(', ');
    const measure = (one) => measureUploads(stage, one, slot);
    const results = await takeTurns(stage, title, stage.contestants, measure);
    rows.push(...stage.contestants.map(({ name }) => ({ ...label, ...figuresOf(results, name) })));
  }
  return rows;
}

/** Comparisons of passwords in this process, which does nothing else. */
async function measureBcrypt(stage, cost, seconds) {
  const digest = await hash(PASSWORD, cost);
  const once = async () => ((await compare(PASSWORD, digest)) ? 200 : 401);
  return measureSlot(stage, { once, lanes: 16, pid: process.pid, seconds });
}

/** Uploads of new days, and of the same days with other values, at each number of connections. */
function uploads(stage) {
  return compareUploads(
    stage,
    ['overwrite', 'fresh'].flatMap((pattern) => [8, 32, 64].map((lanes) => [{ pattern, lanes }])),
  );
}

/** Uploads on 32 connections that are rejected. */
function rejects(stage) {
  const slot = { lanes: 32, pattern: 'overwrite' };
  const isNegative = { change: { isNegative: true }, expected: 400 };
  const noToken = { change: { token: undefined }, expected: 401 };
  return compareUploads(stage, [
    [{ fault: 'a negative amount' }, { ...slot, ...isNegative }],
    [{ fault: 'no token' }, { ...slot, ...noToken }],
  ]);
}

/** Right logins of many users, 16 in flight, at the default cost of a hash, beside as many comparisons alone. */
async function logins(stage) {
  const [alone, cost] = ['bcrypt alone', DEFAULT_COST];
  const contestants = [{ name: alone }];
  for (const version of stage.versions) {
    const url = await stage.database(version, 'logins', { cost });
    const service = await stage.start(version, url, { BCRYPT_COST: String(cost) });
    contestants.push({ name: version.name, service, next: loginsTo(service) });
  }
  const results = await takeTurns(stage, 'logins', contestants, ({ service, next }) =>
    service
      ? measureRequests(stage, service, { lanes: 16, seconds: 5, next })
      : measureBcrypt(stage, cost, 5),
  );
  return contestants.map(({ name }) => ({
    ...figuresOf(results, name),
    'of bcrypt alone': ratioOf(results, name, alone),
  }));
}

/** Uploads on 32 connections while 64 logins are in flight, beside uploads in calm. */
async function mixed(stage) {
  const contestants = stage.services.flatMap((one) =>
    ['calm', 'logins'].map((during) => ({ name: `${one.name} ${during}`, during, one })),
  );
  const results = await takeTurns(stage, 'mixed', contestants, async ({ during, one }) => {
    const upload = () => measureUploads(stage, one, { lanes: 32, pattern: 'overwrite' });
    if (during === 'calm') return upload();
    // The logins begin a second before the uploads do and end a second after them.
    const storm = { next: loginsTo(one.service), lanes: 64, seconds: stage.options.seconds + 2 };
    const [{ rate }, slot] = await Promise.all([
      measureRequests(stage, one.service, storm),
      delay(1000).then(upload),
    ]);
    return { ...slot, logins: rate };
  });
  return contestants.map(({ name, during, one }) => ({
    ...figuresOf(results, name),
    contestant: one.name,
    while: during,
    'of calm': ratioOf(results, name, `${one.name} calm`),
    'p99 of calm': ratioOf(results, name, `${one.name} calm`, 'p99'),
    'logins per second': results.get(name).logins,
  }));
}

/** From the start of the program until it is ready, on a database that is there already; and its resident memory. */
async function start(stage) {
  const contestants = [];
  for (const version of stage.versions) {
    const url = await stage.database(version, 'start');
    const DATA_DIR = mkdtempSync(join(stage.folder, 'embedded-'));
    const embedded = { DATA_DIR, NODE_ENV: 'development' };
    await (await stage.start(version, '', embedded)).stop(); // the first start makes the cluster
    contestants.push({ ...version, url, embedded });
  }
  const results = await takeTurns(stage, 'start', contestants, async (one) => {
    const service = await stage.start(one, one.url);
    await delay(1000);
    const idle = residentMegabytes(service.pid);
    await service.stop();
    const other = await stage.start(one, '', one.embedded);
    await other.stop();
    return { 'ready ms': service.readyMs, 'embedded ready ms': other.readyMs, 'idle MB': idle };
  });
  const rows = [];
  for (const one of stage.services) {
    const { slots, ...figures } = results.get(one.name);
    let most = 0;
    const sample = () => (most = Math.max(most, residentMegabytes(one.service.pid)));
    const sampling = setInterval(sample, 100);
    await measureUploads(stage, one, { lanes: 64, pattern: 'fresh', seconds: 5 });
    clearInterval(sampling);
    rows.push({ contestant: one.name, ...figures, 'under uploads MB': most });
  }
  return rows;
}

/** Tills that all connect, log in, upload their day and disconnect at once; those that are turned away follow Retry-After. */
async function closingTime(stage) {
  const rows = [];
  for (const tills of stage.options.tills)
    for (const version of stage.versions) rows.push(await close(stage, version, tills));
  return rows;
}

async function close(stage, version, tills) {
  process.stderr.write(`closing time, ${tills} tills: ${version.name}\n`);
  const cost = DEFAULT_COST;
  const url = await stage.database(version, `closing_${tills}`, { restaurants: tills, cost });
  const settings = { BCRYPT_COST: String(cost), HASH_QUEUE_MAX: String(HASH_QUEUE_MAX) };
  const service = await stage.start(version, url, settings);
  const bcryptBefore = await measureBcrypt(stage, cost, 5);
  // It is not just started: it has served some of the tills the day before.
  await serveTills(service.port, Math.min(tills, 150), '2025-10-14');
  const { seconds, ...seen } = await serveTills(service.port, tills, '2025-10-15');
  const bcryptAfter = await measureBcrypt(stage, cost, 5);
  await service.stop();
  const saved = await query(
    url,
    `SELECT FROM hourly_sales WHERE date = '2025-10-15' GROUP BY restaurant_id HAVING count(*) = 24`,
  );
  return {
    contestant: version.name,
    tills,
    'all served s': seconds,
    'of bcrypt alone': tills / seconds / ((bcryptBefore.rate + bcryptAfter.rate) / 2),
    ...seen,
    lost: tills - saved.length,
  };
}

export const SCENARIOS = {
  uploads,
  rejects,
  logins,
  mixed,
  start,
  'closing-time': closingTime,
  page,
  reports,
};
