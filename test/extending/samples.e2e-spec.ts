import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { givenTill } from '../support/given.js';
import { day } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const folder = join(__dirname, '../../docs/samples');

/** The command line of each sample; those whose program this machine lacks are skipped. */
const COMMANDS: Record<string, string[]> = {
  'upload.mjs': [process.execPath, join(folder, 'upload.mjs')],
  'upload.py': ['python3', join(folder, 'upload.py')],
  // Compiled once, with options for programs that end soon.
  'Upload.java': ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', 'Upload'],
  'upload.php': ['php', join(folder, 'upload.php')],
  'Upload.cs': ['mono', 'Upload.exe'], // compiled as C# 5, the oldest that is in use
  'upload.go': ['./upload-go'],
  'upload.ps1': ['pwsh', '-File', join(folder, 'upload.ps1')],
  'upload.bas': ['excel'], // has never been run: it needs Excel on Windows
};
const COMPILERS: Record<string, string[]> = {
  'Upload.java': ['javac', '-d', '.', join(folder, 'Upload.java')],
  'Upload.cs': [
    ...['mcs', '-langversion:5', '-warnaserror', '-out:Upload.exe', join(folder, 'Upload.cs')],
    ...['-r:System.Net.Http.dll', '-r:System.Runtime.Serialization.dll'],
  ],
  'upload.go': ['go', 'build', '-o', 'upload-go', join(folder, 'upload.go')],
};
/** What mcs compiles with is in packages of its own: libmono-system-net-http4.0-cil and others. */
const hasAssemblies = (): boolean =>
  ['Net.Http', 'Runtime.Serialization'].every((name) =>
    existsSync(`/usr/lib/mono/4.5/System.${name}.dll`),
  );
const isHere = (program: string): boolean =>
  spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0 &&
  (program !== 'mcs' || hasAssemblies());

const INJECTED = '{"error":"injected"}';
const GATEWAY = '<html>\r\n<head><title>Bad Gateway</title></head>\r\n<body>nginx</body></html>';
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const HALF = '{"success":true,"processed":2,"access_token":"eyJ';
/** What is sent instead of a response before the connection is closed. */
const CUT = {
  'no response': '',
  'cut in headers': OK,
  'cut in body': `${OK}Content-Length: 300\r\n\r\n${HALF}`,
  'half a body': `${OK}Connection: close\r\n\r\n${HALF}`,
};
/** What a proxy in front of the service may answer instead of it: status, Retry-After, body. */
const ANSWERS = {
  401: [401, '1', INJECTED],
  503: [503, '1', INJECTED],
  'Bad Gateway': [502, 'Wed, 21 Oct 2015 07:28:00 GMT', GATEWAY],
} as const;
type Fault = keyof typeof CUT | keyof typeof ANSWERS;

/** Where the samples are compiled and run. */
let built: string;
let service: TestApp;
let proxy: Server;
/** A run of each sample without a service, which takes 15 seconds. */
const unserved: Record<string, Promise<Run>> = {};
let faults: { path: string; fault: Fault }[] = [];
let seen: string[] = [];
beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'samples-'));
  for (const [compiler, ...args] of Object.values(COMPILERS))
    if (isHere(compiler!)) execFileSync(compiler!, args, { cwd: built });
  service = await createTestApp();
  await givenTill(service, { username: 'demo', password: 'demo-password' });
  proxy = createServer((request, response) => void forward(request, response));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  for (const sample of Object.keys(COMMANDS))
    unserved[sample] = run(sample, { SALES_URL: 'http://127.0.0.1:1' });
});
afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await service.close();
  rmSync(built, { recursive: true });
});

/** Passes requests on once there is no fault left for their path. */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat((await request.toArray()) as Buffer[]);
  const { method = '', url = '', headers } = request;
  const next = faults[0]?.path === url ? faults.shift()!.fault : undefined;
  seen.push(String(next ?? url));
  if (next !== undefined) {
    if (next in CUT) request.socket.end(CUT[next as keyof typeof CUT]);
    else {
      const [answer, wait, text] = ANSWERS[next as keyof typeof ANSWERS];
      response.writeHead(answer, { 'Retry-After': wait }).end(text);
    }
    return;
  }
  const { 'content-type': type = '', authorization: Authorization = '' } = headers;
  const sent = { 'Content-Type': type, Authorization };
  const { status, text } = await service.client.send(method, url, body, sent);
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
}

/** What a run has printed and sent. */
interface Run {
  readonly code: unknown;
  readonly stdout: string;
  /** The lines of standard error. */
  readonly said: readonly string[];
  readonly seen: readonly string[];
}

function run(sample: string, settings: Record<string, string> = {}): Promise<Run> {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = {
    PATH: process.env['PATH'],
    SALES_URL: url,
    PYTHONDONTWRITEBYTECODE: '1',
    ...settings,
  };
  seen = [];
  return new Promise((resolve) => {
    const [program, ...args] = COMMANDS[sample]!;
    execFile(program!, args, { cwd: built, env }, (error, stdout, stderr) => {
      const said = stderr.split(/\r?\n/).filter((line) => line !== '');
      resolve({ code: error?.code ?? 0, stdout, said, seen });
    });
  });
}

test('Every sample is run here, where its language is', () => {
  const samples = readdirSync(folder).filter((name) => /\.\w+$/.test(name));
  expect(samples.sort()).toEqual([...Object.keys(COMMANDS), 'send_later.py'].sort());
});

(isHere('python3') ? describe : describe.skip)('The sample send_later.py', () => {
  let unsent: string;
  beforeEach(() => (unsent = mkdtempSync(join(tmpdir(), 'unsent-'))));
  afterEach(() => rmSync(unsent, { recursive: true }));

  const later = (url: string, ...days: string[]) => {
    const env = { ...process.env, SALES_URL: url, SALES_UNSENT: unsent, SALES_EVERY_SECONDS: '0.1', PYTHONDONTWRITEBYTECODE: '1' }; // prettier-ignore
    const child = spawn('python3', [join(folder, 'send_later.py'), ...days], { cwd: unsent, env });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.stdout += String(chunk)));
    child.stderr.on('data', (chunk: Buffer) => (said.stderr += String(chunk)));
    return { child, said, ended: once(child, 'close') };
  };
  const dayOf = (name: string, changes: Record<string, unknown>): string => {
    const path = join(unsent, name);
    writeFileSync(path, JSON.stringify({ records: day(changes) }));
    return path;
  };

  test('keeps days over a restart while nobody responds, then sends the oldest first; what is rejected is kept apart', async () => {
    const days = [['b', '2025-11-02'], ['a', '2025-11-01']].map(([name, date]) => dayOf(name!, { date })); // prettier-ignore
    const first = later('http://127.0.0.1:1', ...days, dayOf('c', { date: '2025-11-03', restaurant_id: 999 })); // prettier-ignore
    await eventually(() => first.said.stderr.includes('the days are kept'), 'the days to be kept');
    first.child.kill('SIGKILL');
    await first.ended;
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const second = later(url);
    expect((await second.ended)[0]).toBe(1);
    expect(second.said.stdout.match(/on 2025-11-\d\d/g)).toEqual(['on 2025-11-01', 'on 2025-11-02']); // prettier-ignore
    expect(second.said.stderr).toMatch(/2025-11-03-999.json.rejected: 403 restaurant 999/);
    const kept = readdirSync(unsent).filter((name) => name.includes('json'));
    expect(kept).toEqual(['2025-11-03-999.json.rejected']);
  });
});

describe.each(Object.entries(COMMANDS))('The sample %s', (sample, [program = '']) => {
  const runtime = COMPILERS[sample]?.[0] ?? program;
  const [itRuns, how] = isHere(runtime)
    ? [test, `with ${runtime}`]
    : [test.skip, `skipped, as there is no ${runtime} here`];
  const [login, upload] = ['/api/v1/auth/login', '/api/v1/sales/upload-daily'];
  const failing = (path: string, ...kinds: Fault[]) => kinds.map((fault) => ({ path, fault }));

  const retried = (from: string, path: string) =>
    expect.stringMatching(`^${from} from ${path}: sending again in \\d+ s$`);

  itRuns(`(${how}) uploads after faults, with one login, and reports an error`, async () => {
    faults = [
      ...failing(login, 'cut in headers'),
      ...failing(upload, 'cut in body', 503, 'Bad Gateway', 401),
      ...failing(login, 'half a body'),
      ...failing(upload, 'no response'),
    ];
    const saved = '2 hourly records saved for restaurant 101 (Restaurant 101) on 2025-10';
    expect(await run(sample)).toEqual({
      code: 0,
      stdout: `${saved}-14\n${saved}-15\n`,
      said: [
        retried('no response', login),
        retried('no response', upload),
        retried('503', upload),
        retried('502', upload),
        retried('no response', login),
        retried('no response', upload),
      ],
      seen: [
        ...['cut in headers', login, 'cut in body', '503', 'Bad Gateway', '401'],
        ...['half a body', login, 'no response', upload, upload],
      ],
    });
    const sql = `SELECT sum(gto)::text AS gto, count(*)::int FROM hourly_sales WHERE date < '2025-11-01'`;
    const totals = { gto: expect.stringMatching(/^963\.40?$/), count: 4 };
    expect(await service.database.query(sql)).toEqual([totals]);
    const wrong = await run(sample, { SALES_PASSWORD: 'wrong' });
    const said = [expect.stringMatching(/^login: 401 the username or the password is wrong/)];
    expect(wrong).toEqual({ code: 1, stdout: '', said, seen: [login] });
  });

  itRuns(`(${how}) gives up in words when a proxy answers HTML five times`, async () => {
    const five = Array<Fault>(5).fill('Bad Gateway');
    faults = failing(login, ...five);
    const again = Array(4).fill(retried('502', login));
    const said = [...again, expect.stringMatching(/^login: 502 Bad Gateway +nginx$/)];
    expect(await run(sample)).toEqual({ code: 1, stdout: '', said, seen: five });
  });

  itRuns(`(${how}) gives up in words where there is no service`, async () => {
    const again = Array(4).fill(retried('no response', login));
    const said = [...again, expect.stringMatching(/^login: no response: ./)];
    expect(await unserved[sample]).toMatchObject({ code: 1, stdout: '', said });
  });
});
