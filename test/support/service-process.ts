import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Client } from './client.js';
import { keepError, TEST_SECRET } from './test-service.js';
import { stretched } from './time-limits.js';

const MAIN = join(__dirname, '../../dist/src/main.js');

/** One line of the service's log, parsed. */
export type LogLine = Record<string, any>;

const running = new Set<ChildProcess>();

/** Ends those that a failed test has left; for the last `afterAll` of a file. */
export function endLeftovers(): void {
  running.forEach((child) => child.kill('SIGKILL'));
}

/** The service as an operator runs it: a process of its own, with nothing of our environment but the way to Node. */
export class ServiceProcess {
  url = '';
  stdout = '';
  stderr = '';
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'sales-upload-process-'));
  private readonly child;

  /** It may be given a standard output of ours, and another build of the service. */
  constructor(
    settings: Readonly<Record<string, string>>,
    { stdout = 'pipe', main = MAIN }: { stdout?: 'pipe' | number; main?: string } = {},
  ) {
    const cheap = { BCRYPT_COST: '10', RESPONSE_TIMEOUT_MS: '120000' };
    const parent = { PATH: process.env['PATH'], EXIT_WITH_PARENT: 'true' };
    const env = { ...parent, JWT_SECRET: TEST_SECRET, PORT: '0', ...cheap, ...settings };
    this.child = spawn(process.execPath, [main], {
      env,
      cwd: this.folder,
      stdio: ['ignore', stdout, 'pipe'],
    });
    if (this.child.stdout) this.readLog(this.child.stdout);
    this.child.stderr!.on('data', (chunk: Buffer) => (this.stderr += String(chunk)));
    running.add(this.child);
    this.exited = once(this.child, 'close').then(([code, signal]) => {
      running.delete(this.child);
      rmSync(this.folder, { recursive: true, force: true });
      return { code: code as number | null, signal: signal as string | null };
    });
  }

  /** Resolves once the service listens; fails where it ends before. */
  static async start(
    settings: Readonly<Record<string, string>>,
    options?: { main: string },
  ): Promise<ServiceProcess> {
    const service = new ServiceProcess(settings, options);
    await service.ready();
    return service;
  }

  /** Reads a standard output of ours. */
  readLog(stdout: Readable): void {
    stdout.on('data', (chunk: Buffer) => (this.stdout += String(chunk)));
    createInterface(stdout).on('line', (line) => {
      if (line.startsWith('{"level":"error"')) keepError(line);
    });
  }

  async ready(): Promise<void> {
    this.url = (await this.said(/listening on (http:\/\/[^\s"]+)/))[1]!;
  }

  get client(): Client {
    return new Client(this.url);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** The log so far; lines for people are left out. */
  get log(): LogLine[] {
    const lines = this.stdout.split('\n').slice(0, -1);
    return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
  }

  /** Resolves once something was written to either output. */
  async said(pattern: RegExp): Promise<RegExpExecArray> {
    return eventually(() => {
      const found = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
      if (!found && this.child.exitCode !== null)
        throw new Error(`it ended: ${this.stdout}${this.stderr}`);
      return found;
    }, `${pattern.source} to be said`);
  }

  /** The log line of a request. */
  async lineOf(requestId: string): Promise<LogLine> {
    const find = () => this.log.find((line) => line['requestId'] === requestId);
    return eventually(find, `a log line of ${requestId}`);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** As an operator stops it; fails where that does not end well. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    const { code, signal } = await this.exited;
    if (code !== 0)
      throw new Error(`it ended with ${code ?? signal}: ${this.stdout}${this.stderr}`);
  }
}

/** A free TCP port, outside of the ranges from which the system and embedded databases take theirs meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 20_000);
    const server = createServer();
    const listening = once(server.listen(port, '127.0.0.1'), 'listening');
    if (!(await listening.catch(() => undefined))) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Asks until there is a value; fails when the time is up, which a busy machine stretches. */
export async function eventually<Found>(
  ask: () => Found | null | undefined | false | Promise<Found | null | undefined | false>,
  what: string | (() => string),
  timeoutMs = 60_000,
): Promise<Found> {
  const begunAt = Date.now();
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (Date.now() - begunAt > stretched(timeoutMs))
      throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
