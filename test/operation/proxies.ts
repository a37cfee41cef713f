import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '../support/service-process.js';

const KIT = join(__dirname, '../../deploy');

/** Whether the program, and openssl for its certificate, are there. */
export function isInstalled(program: string): boolean {
  return [program, 'openssl'].every((each) => spawnSync(each, ['-v']).error === undefined);
}

/**
 * Copies a file of deploy/ for this machine: with a certificate of its own, such changes, and
 * without the names of other machines.
 */
export function copyForHere(
  folder: string,
  path: string,
  changes: readonly (readonly [string | RegExp, string])[] = [],
): string {
  const [certificate, copy] = [join(folder, 'certificate.pem'), join(folder, 'copy')];
  const made =
    '-subj /CN=sales.example -days 2 -nodes -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256'.split(
      ' ',
    );
  spawnSync('openssl', ['req', ...made, '-keyout', certificate, '-out', certificate]);
  let text = readFileSync(join(KIT, path), 'utf8')
    .replaceAll(/\/etc\/ssl\/sales\.example\.(pem|key)/g, certificate)
    .replace(
      /include \/etc\/nginx\/snippets\/(.*);/,
      (_, name) => readFileSync(join(KIT, 'nginx', name as string), 'utf8'), // prettier-ignore
    );
  for (const [from, to] of changes) text = text.replaceAll(from, to);
  writeFileSync(copy, text);
  return copy;
}

/** Writes a whole nginx configuration around a site, or around nothing where the file is whole. */
export function nginxArguments(folder: string, copy: string): string[] {
  const isWhole = /^http \{/m.test(readFileSync(copy, 'utf8'));
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const http = `http { access_log off; ${places.join(' ')} include ${copy}; }`;
  const rest = isWhole ? `include ${copy};` : `events { worker_connections 4096; } ${http}`;
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(folder, 'main'),
    `${user} pid ${folder}/pid; error_log ${folder}/errors; ${rest}`,
  );
  return ['-q', '-e', join(folder, 'errors'), '-c', join(folder, 'main'), '-p', folder];
}

/** Times that nobody waits for in a test, and one that a busy machine may exceed. */
const TIMES = [
  [/\b([12]0|75)s\b/g, '1s'],
  [/\b[256]s\b/g, '60s'],
] as const;

/** A shipped proxy in front of upstream servers, with short times for silent clients. */
export class Proxy {
  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    /** Without TLS. */
    readonly url: string,
    readonly tlsPort: number,
    readonly redirectPort: number,
  ) {}

  static async start(program: 'nginx' | 'haproxy', upstreams: readonly number[]): Promise<Proxy> {
    const folder = mkdtempSync(join(tmpdir(), 'sales-upload-proxy-'));
    const [plain, tls, redirect] = [await freePort(), await freePort(), await freePort()];
    const servers = upstreams.map((port) => `127.0.0.1:${port}`);
    const [first = '', second = first] = servers;
    const changes = [...TIMES, ['10.0.0.11:3000', first], ['10.0.0.12:3000', second]] as const;
    const nginx = () =>
      nginxArguments(
        folder,
        copyForHere(folder, 'nginx/sales-upload.conf', [
          ...changes,
          ['listen 80;', `listen 127.0.0.1:${redirect};`],
          ['listen 443 ssl;', `listen 127.0.0.1:${tls} ssl; listen 127.0.0.1:${plain};`],
        ]),
      );
    const haproxy = () => [
      '-q',
      '-f',
      copyForHere(folder, 'haproxy/sales-upload.cfg', [
        ...changes,
        ['bind :80\n', `bind 127.0.0.1:${redirect}\n  bind 127.0.0.1:${plain} id 7\n`],
        ['bind :443', `bind 127.0.0.1:${tls}`],
        ['unless { ssl_fc }', 'unless { ssl_fc } || { so_id 7 }'],
      ]),
    ];
    const args = program === 'nginx' ? [...nginx(), '-g', 'daemon off;'] : haproxy();
    const child = spawn(program, args, { stdio: 'ignore' });
    const url = `http://127.0.0.1:${plain}`;
    const proxy = new Proxy(folder, child, url, tls, redirect);
    const isUp = () => fetch(`${url}/health/live`).then(({ ok }) => ok, () => false); // prettier-ignore
    await eventually(isUp, program);
    return proxy;
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
    rmSync(this.folder, { recursive: true });
  }
}
