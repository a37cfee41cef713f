import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as PgClient } from 'pg';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { Client } from '../support/client.js';
import { day } from '../support/records.js';
import { eventually } from '../support/service-process.js';

/** Holds one embedded database, and marks all that is started from here in its environment. */
let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sales-upload-killed-'))));
afterAll(() => {
  killOurs();
  rmSync(folder, { recursive: true, force: true });
});

/** The processes that have our folder in their environment, or run in it as PostgreSQL's do. */
function findOurs(pattern = /./): { pid: number; command: string }[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.flatMap((name) => {
    try {
      const isOurs =
        readFileSync(`/proc/${name}/environ`, 'utf8').includes(folder) ||
        readlinkSync(`/proc/${name}/cwd`).startsWith(folder);
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return isOurs && pattern.test(command) ? [{ pid: Number(name), command }] : [];
    } catch {
      return []; // it has just ended
    }
  });
}

/** Kills those that run, of which some may have ended meanwhile, and tells how many there were. */
function killOurs(pattern?: RegExp): number {
  const found = findOurs(pattern);
  for (const { pid } of found) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      continue;
    }
  }
  return found.length;
}

async function expectNothingLeft(): Promise<void> {
  await eventually(
    () => delay(50).then(() => findOurs().length === 0), // each look reads all of /proc
    () => `the end of ${JSON.stringify(findOurs())}`,
  );
}

function spawnNpm(...args: string[]): ChildProcess {
  const { PATH, HOME } = process.env;
  const paths = { PATH, HOME, DATA_DIR: folder, TMPDIR: folder };
  return spawn('npm', [...args, '--silent', '--ignore-scripts'], {
    cwd: join(__dirname, '../..'),
    env: { ...paths, PORT: '0', LOG_LEVEL: 'fatal', BCRYPT_COST: '4', RESPONSE_TIMEOUT_MS: '5000' },
    detached: true,
  });
}

/** Resolves when its output says that it is ready, with what the pattern finds in it. */
async function start(args: string[], ready: RegExp) {
  const child = spawnNpm(...args);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const found = await eventually(
    () => ready.exec(output),
    () => `the service to start: ${output}`,
  );
  return { child, found: found[1]! };
}

test('Nothing is left of a start that was killed half-way', async () => {
  const started = spawnNpm('start');
  await eventually(() => findOurs(/initdb|postgres/).length > 0, 'initdb to run');
  started.kill('SIGKILL');
  await expectNothingLeft();
});

test('Nothing is left of the PostgreSQL that test servers share, which outlives the first of them and ends with the last', async () => {
  const testServer = () => start(['run', 'test-server'], /("url")/);
  const [{ child: first }, { child: second }] = [await testServer(), await testServer()];
  const before = findOurs(/postgres-daemon/);
  expect(before).toHaveLength(1);
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect(findOurs(/postgres-daemon/)).toEqual(before);
  second.kill('SIGTERM');
  await expectNothingLeft();
});

describe('npm start under load', () => {
  const CLIENTS = 8;
  /** Each hour of a day has one value, and the ledger one upload for it. */
  const DAYS = `
    SELECT date::text, uploads, count(*)::int AS hours, count(DISTINCT gto)::int AS values,
      (SELECT count(*)::int FROM uploads AS u WHERE (u.restaurant_id, u.date) = (d.restaurant_id, d.date)) AS ledger
    FROM sales_days AS d LEFT JOIN hourly_sales AS h USING (restaurant_id, date)
    WHERE date < '2000-01-01' -- the demo data is later
    GROUP BY d.restaurant_id, d.date`;

  let npm: ChildProcess;
  let client: Client;
  let token: string;
  let next = 0;
  const saved: string[] = [];

  /** Uploads a day after the other, each day once, until told to stop. */
  async function upload(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const gto = next++;
      const date = new Date(Date.UTC(1000, 0, 1 + gto)).toISOString().slice(0, 10);
      const answer = await client.upload(token, day({ date, gto })).catch(() => undefined);
      if (answer?.status === 200) saved.push(date);
      else await delay(20);
    }
  }

  async function startService(): Promise<void> {
    const { child, found } = await start(['start'], /listening on (\S+)/);
    [npm, client] = [child, new Client(found)];
    token = await client.token('demo', 'demo-password');
    expect(findOurs().length).toBeGreaterThan(5);
  }

  async function readDays(): Promise<{ date: string }[]> {
    const postgres = await openEmbeddedPostgres(folder);
    const reader = new PgClient(postgres.url);
    await reader.connect();
    const { rows } = await reader.query<{ date: string }>(DAYS);
    await reader.end();
    await postgres.stop();
    return rows;
  }

  test.each<[what: string, send: () => unknown]>([
    ['kill -9 of PostgreSQL', () => killOurs(/^\S*postgres(:| )/)],
    ['kill -9 of the service', () => killOurs(/^node /)],
    ['kill -9 of npm', () => npm.kill('SIGKILL')],
    ['SIGTERM of npm', () => npm.kill('SIGTERM')],
  ])('%s: what was answered 200 is there, nothing by halves', async (_what, send) => {
    await startService();
    let isOver = false;
    const load = Array.from({ length: CLIENTS }, () => upload(() => isOver));
    const count = saved.length + 20;
    try {
      await eventually(() => saved.length > count, 'uploads to be saved');
      expect(send()).toBeTruthy();
      await expectNothingLeft();
    } finally {
      isOver = true;
      await Promise.all(load);
    }
    const days = await readDays();
    const whole = { hours: 24, values: 1, uploads: 1, ledger: 1 };
    expect(days).toEqual(days.map(({ date }) => ({ date, ...whole })));
    expect(days.map(({ date }) => date)).toEqual(expect.arrayContaining(saved));
  });
});
