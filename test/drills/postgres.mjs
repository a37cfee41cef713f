import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { end, freePort, ROOT, run, runCommand, until } from './programs.mjs';

/** Long enough for both sides of a fault to be seen. */
export const FAULT_MS = 8000;

const NOBODY = 65_534;

/** PostgreSQL refuses to run as root. */
export const ACCOUNT = { uid: process.getuid() || NOBODY, gid: process.getgid() || NOBODY };

/** The folder of PostgreSQL's programs: that of CITUS_BIN or the system's, which is not on the path of every system. */
export const PROGRAMS =
  process.env.CITUS_BIN ??
  spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() ??
  '';

/** Runs SQL on a connection of its own and returns the rows. */
export async function query(url, sql, values) {
  const client = new pg.Client(String(url));
  client.on('error', () => undefined);
  await client.connect();
  return client.query(sql, values).then(({ rows }) => rows).finally(() => client.end()); // prettier-ignore
}

/** The server and all its backends. */
export function processesOf(server) {
  const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8');
  return [server, ...children.split(' ').filter(Boolean).map(Number)];
}

/** A PostgreSQL of the system's programs with the two roles of docs/operating.md. */
export class Postgres {
  constructor(folder, data, port, settings) {
    Object.assign(this, { folder, data, port, settings });
  }

  /** `data` may lie on a disk of its own; the write-ahead log never does. */
  static async create(folder, data = join(folder, 'data'), settings = []) {
    const server = await this.createBare(folder, data, settings);
    await server.createRoles();
    return server;
  }

  /** Without roles and databases of the service. */
  static async createBare(folder, data = join(folder, 'data'), settings = []) {
    const server = new this(folder, data, await freePort(), settings);
    mkdirSync(folder, { recursive: true });
    chownSync(folder, ACCOUNT.uid, ACCOUNT.gid);
    const places = ['-D', data, '--waldir', join(folder, 'wal')];
    const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8'];
    run(join(PROGRAMS, 'initdb'), [...places, ...options], ACCOUNT);
    await server.start();
    return server;
  }

  /** As docs/operating.md says. */
  async createRoles() {
    const env = { ...process.env, OWNER_PASSWORD: 'drill', SERVICE_PASSWORD: 'drill' };
    const roles = join(ROOT, 'docs/create-roles.sql');
    run(join(PROGRAMS, 'psql'), ['-Xq', this.url('postgres', 'postgres'), '-f', roles], { env });
    await this.query('CREATE DATABASE sales OWNER sales_owner', [], 'postgres');
  }

  url(role = 'sales_service', database = 'sales') {
    return `postgres://${role}@127.0.0.1:${this.port}/${database}`;
  }

  query(sql, values = [], database = 'sales') {
    return query(this.url('postgres', database), sql, values);
  }

  /** Migrates with the programs of a release, and gives the service's role its rights. */
  async migrate(root = ROOT) {
    await runCommand(this.url('sales_owner'), 'migration run', root);
    await this.query(readFileSync(join(root, 'docs/roles.sql'), 'utf8'));
  }

  async start() {
    const settings = ['listen_addresses=127.0.0.1', ...this.settings];
    const places = ['-D', this.data, '-p', String(this.port), '-k', this.folder];
    const args = [...places, ...settings.flatMap((setting) => ['-c', setting])];
    this.child = spawn(join(PROGRAMS, 'postgres'), args, { ...ACCOUNT, stdio: 'ignore' });
    await until(() => this.accepts('SELECT 1'), 'PostgreSQL to start');
  }

  accepts(sql) {
    return this.query(sql, [], 'postgres').then(() => true, () => false); // prettier-ignore
  }

  signal(pids, signal) {
    for (const pid of pids) if (existsSync(`/proc/${pid}`)) process.kill(pid, signal); // or it ended meanwhile
  }

  /** Kills the server with all its backends, and starts it again after what happens meanwhile. */
  async kill(meanwhile = () => delay(FAULT_MS)) {
    this.signal(processesOf(this.child.pid), 'SIGKILL');
    await once(this.child, 'exit');
    await meanwhile();
    await this.start();
  }

  /** Stops the server with all its backends, and lets them go on after what happens meanwhile. */
  async freeze(meanwhile = () => delay(FAULT_MS)) {
    const pids = processesOf(this.child.pid);
    this.signal(pids, 'SIGSTOP');
    await meanwhile().finally(() => this.signal(pids, 'SIGCONT'));
  }

  stop() {
    return end(this.child, 'SIGINT');
  }
}
