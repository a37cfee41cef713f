import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { attachEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { query } from '../embedded-postgres/embedded-playground.js';
import { day } from '../support/records.js';
import { endLeftovers, eventually, ServiceProcess } from '../support/service-process.js';

/** Holds one embedded database, and marks all that is started from here in its environment. */
let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sales-upload-killed-'))));
afterAll(() => {
  endLeftovers();
  endProcesses(ourProcesses());
  rmSync(folder, { recursive: true, force: true });
});

/** The processes that have our folder in their environment, or run in it as PostgreSQL's do. */
function ourProcesses(): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return environment.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false; // it has just ended
    }
  });
}

/** Kills processes that may have ended already. */
function endProcesses(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      continue;
    }
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

const processesThatRun = (command: RegExp): number[] =>
  ourProcesses().filter((pid) => command.test(commandOf(pid)));

describe('No process is left', () => {
  afterEach(() => endProcesses(ourProcesses()));

  test('of a start that was killed half-way', async () => {
    const started = spawnNpm(['start']);
    await eventually(() => processesThatRun(/initdb|postgres/).length > 0, 'initdb to run');
    started.kill('SIGKILL');
    await expectNothingLeft();
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('of npm start on %s', async (signal) => {
    const started = await start(['start'], 'listening on');
    expect(ourProcesses().length).toBeGreaterThan(5);
    started.kill(signal);
    await expectNothingLeft();
  });

  test('of the PostgreSQL that test servers share, which outlives the first of them and ends with the last', async () => {
    const testServer = (): Promise<ChildProcess> => start(['run', 'test-server'], '"url"');
    const [first, second] = [await testServer(), await testServer()];
    const before = processesThatRun(/postgres-daemon/);
    expect(before).toHaveLength(1);
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(processesThatRun(/postgres-daemon/)).toEqual(before);
    second.kill('SIGTERM');
    await expectNothingLeft();
  });

  /** Resolves when its output says that it is ready. */
  async function start(args: string[], ready: string): Promise<ChildProcess> {
    const child = spawnNpm(args);
    let output = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    await eventually(
      () => output.includes(ready),
      () => `the service to start: ${output}`,
    );
    return child;
  }

  function spawnNpm(args: string[]): ChildProcess {
    const { PATH, HOME } = process.env;
    const paths = { PATH, HOME, DATA_DIR: folder, TMPDIR: folder };
    return spawn('npm', [...args, '--silent', '--ignore-scripts'], {
      cwd: join(__dirname, '../..'),
      env: { ...paths, PORT: '0', LOG_LEVEL: 'error' },
      detached: true,
    });
  }

  async function expectNothingLeft(): Promise<void> {
    const left = (): string[] => ourProcesses().map((pid) => `${pid}: ${commandOf(pid)}`);
    await eventually(
      () => delay(50).then(() => left().length === 0), // each look reads all of /proc
      () => `the end of ${left().join('\n')}`,
    );
  }
});

describe('kill -9 under load', () => {
  const CLIENTS = 8;

  let service: ServiceProcess;
  let token: string;
  beforeAll(async () => {
    service = await start();
    token = await service.client.token('demo', 'demo-password');
  });

  const start = (): Promise<ServiceProcess> =>
    ServiceProcess.start({ DATA_DIR: folder, LOG_LEVEL: 'fatal', RESPONSE_TIMEOUT_MS: '5000' });

  const postgresProcesses = (): number[] => processesThatRun(/^\S*postgres(:| )/);

  /** Uploads a day after the other, each day once, until told to stop. */
  class Load {
    readonly answered: string[] = [];
    private over = false;
    private readonly clients = Array.from({ length: CLIENTS }, () => this.run());
    private static next = 0;

    async stop(): Promise<void> {
      this.over = true;
      await Promise.all(this.clients);
    }

    private async run(): Promise<void> {
      while (!this.over) {
        const number = Load.next++;
        const date = new Date(Date.UTC(1000, 0, 1 + number)).toISOString().slice(0, 10);
        const answer = await service.client
          .upload(token, day({ date, gto: number }))
          .catch(() => undefined);
        if (answer?.status === 200) this.answered.push(date);
        else await delay(20);
      }
    }
  }

  function killPostgres(): void {
    const pids = postgresProcesses();
    expect(pids.length).toBeGreaterThan(5);
    endProcesses(pids);
  }

  async function killService(): Promise<void> {
    service.signal('SIGKILL');
    await service.exited;
    service = await start();
  }

  test.each<[what: string, crash: () => void | Promise<void>]>([
    ['PostgreSQL', killPostgres],
    ['the service', killService],
  ])(
    'of %s: what was answered 200 is there, and nothing is there by halves',
    async (_what, crash) => {
      const load = new Load();
      await eventually(() => load.answered.length > 20, 'uploads before the crash');
      await crash();
      const before = load.answered.length;
      await eventually(() => load.answered.length > before + 20, 'uploads after the crash');
      await load.stop();
      const { url } = await attachEmbeddedPostgres(folder);
      const days = (await query(
        url,
        `SELECT date::text, uploads, count(*)::int AS hours, count(DISTINCT gto)::int AS values,
          (SELECT count(*)::int FROM uploads AS u WHERE (u.restaurant_id, u.date) = (d.restaurant_id, d.date)) AS ledger
        FROM sales_days AS d LEFT JOIN hourly_sales AS h USING (restaurant_id, date)
        WHERE date < '2000-01-01' -- the demo data is later
        GROUP BY d.restaurant_id, d.date`,
      )) as { date: string }[];
      const whole = { hours: 24, values: 1, uploads: 1, ledger: 1 };
      expect(days).toEqual(days.map(({ date }) => ({ date, ...whole })));
      expect(days.map(({ date }) => date)).toEqual(expect.arrayContaining(load.answered));
    },
  );

  test('SIGHUP, as of a terminal that is closed, ends the service and its PostgreSQL', async () => {
    const pids = [service.pid, ...postgresProcesses()];
    service.signal('SIGHUP');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  });
});
