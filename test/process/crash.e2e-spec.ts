import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as Postgres } from 'pg';
import { day } from '../support/records.js';
import {
  endLeftovers,
  endProcesses,
  eventually,
  ServiceProcess,
} from '../support/service-process.js';

const CLIENTS = 8;
const dataDir = mkdtempSync(join(tmpdir(), 'sales-upload-crash-'));

let service: ServiceProcess;
let token: string;
beforeAll(async () => {
  service = await start();
  token = await service.client.token('demo', 'demo-password');
});
afterAll(() => {
  endLeftovers();
  rmSync(dataDir, { recursive: true, force: true });
});

function start(): Promise<ServiceProcess> {
  return ServiceProcess.start({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    RESPONSE_TIMEOUT_MS: '5000',
  });
}

/** The processes of the embedded PostgreSQL, the first of which made the others. */
function postgresProcesses(): number[] {
  const first = Number(
    readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0],
  );
  const others = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && parentOf(name) === first,
  );
  return [first, ...others.map(Number)];
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0; // it ended meanwhile
  }
}

async function rows<Row>(sql: string): Promise<Row[]> {
  const { password } = JSON.parse(readFileSync(join(dataDir, 'embedded.json'), 'utf8')) as Record<
    string,
    string
  >;
  const port = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[3];
  const client = new Postgres(`postgres://postgres:${password}@127.0.0.1:${port}/sales`);
  await client.connect();
  const result = await client.query(sql);
  await client.end();
  return result.rows as Row[];
}

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
      const date = new Date(Date.UTC(1900, 0, 1 + number)).toISOString().slice(0, 10);
      const answer = await service.client
        .upload(token, day({ date, gto: number }))
        .catch(() => undefined);
      if (answer?.status === 200) this.answered.push(date);
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function killPostgres(): Promise<void> {
  endProcesses(postgresProcesses());
  return Promise.resolve();
}

async function killService(): Promise<void> {
  service.signal('SIGKILL');
  await service.exited;
  service = await start();
}

describe('kill -9 under load', () => {
  test.each([
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
      const days = await rows<{
        date: string;
        hours: number;
        values: number;
        uploads: number;
        ledger: number;
      }>(`
      SELECT date::text, uploads, count(*)::int AS hours, count(DISTINCT gto)::int AS values,
        (SELECT count(*)::int FROM uploads AS u WHERE (u.restaurant_id, u.date) = (d.restaurant_id, d.date)) AS ledger
      FROM sales_days AS d LEFT JOIN hourly_sales AS h USING (restaurant_id, date)
      WHERE date < '2000-01-01' -- the demo data is later
      GROUP BY d.restaurant_id, d.date`);
      expect(
        days.filter(
          ({ hours, values, uploads, ledger }) =>
            hours !== 24 || values !== 1 || uploads !== 1 || ledger !== 1,
        ),
      ).toEqual([]);
      const saved = new Set(days.map(({ date }) => date));
      expect(load.answered.filter((date) => !saved.has(date))).toEqual([]);
    },
  );
});

test('SIGHUP, as of a terminal that is closed, ends the service and its PostgreSQL', async () => {
  const pids = [service.pid, ...postgresProcesses()];
  service.signal('SIGHUP');
  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
});
