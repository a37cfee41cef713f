import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { eventually, MAIN } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { TEST_SECRET } from '../support/test-app.js';

const REQUESTS = 450; // with their log lines more than a pipe holds
const LONG_ID = { 'X-Request-Id': 'x'.repeat(128) };

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'sales-upload-log-'));
});
const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

interface Service {
  readonly child: ChildProcess;
  readonly client: Client;
  dropped(): Promise<number>;
}

/** The service with a standard output of our choice, once it serves. */
async function start(workers: string, stdout: 'pipe' | number): Promise<Service> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: database.url,
    JWT_SECRET: TEST_SECRET,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    WORKERS: workers,
  };
  const child = spawn(process.execPath, [MAIN], { env, cwd: folder, stdio: ['ignore', stdout, 'ignore'] });
  children.add(child);
  const client = new Client(`http://127.0.0.1:${port}`);
  const isReady = () => client.get('/health/ready').then(({ status }) => status === 200, () => false); // prettier-ignore
  await eventually(isReady, 'the service to be ready');
  const metrics = new Client(`http://127.0.0.1:${metricsPort}`);
  const dropped = async () =>
    Number(/^log_lines_dropped_total (\d+)/m.exec((await metrics.get('/metrics')).text)?.[1] ?? 0);
  return { child, client, dropped };
}

/** A pipe of the system, which holds 64 kB; those of Node's child processes are sockets, and hold more. */
function openPipe(name: string): { reader: Socket; writer: number } {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  const reader = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });
  return { reader, writer: openSync(path, 'w') };
}

/** Requests that are each worth a line. */
async function makeLines({ client }: Service): Promise<void> {
  for (let sent = 0; sent < REQUESTS; sent += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.get(`/${'x'.repeat(50)}`, { headers: LONG_ID })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  }
}

async function endsOnSigterm({ child }: Service): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
}

describe.each(['1', '2'])('with WORKERS=%s', (workers) => {
  test('a full disk: the service serves, counts the lines that are lost, and ends on SIGTERM', async () => {
    const full = openSync('/dev/full', 'w');
    const service = await start(workers, full);
    closeSync(full);
    await makeLines(service);
    await eventually(async () => (await service.dropped()) > REQUESTS / 2, 'the lost lines to be counted');
    await endsOnSigterm(service);
  });

  test('a reader that died: the same', async () => {
    const service = await start(workers, 'pipe');
    service.child.stdout!.destroy();
    await makeLines(service);
    await eventually(async () => (await service.dropped()) > REQUESTS / 2, 'the lost lines to be counted');
    await endsOnSigterm(service);
  });

  test('a reader that stalls: every line comes once it reads on; where it stalls for good, SIGTERM ends the service', async () => {
    const { reader, writer } = openPipe(`pipe-${workers}`);
    const service = await start(workers, writer);
    closeSync(writer);
    let log = '';
    await makeLines(service);
    reader.on('data', (chunk: Buffer) => (log += String(chunk)));
    await eventually(() => log.split('"status":404').length > REQUESTS, 'the lines');
    reader.pause();
    const lines = log.trimEnd().split('\n');
    for (const line of lines.filter((each) => !/^(listening on|open) http/.test(each))) JSON.parse(line);
    expect(await service.dropped()).toBe(0);
    await makeLines(service);
    await endsOnSigterm(service);
    reader.destroy();
  });
});
