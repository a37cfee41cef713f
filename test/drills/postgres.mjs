import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { CLI, freePort, ROOT, until } from './process.mjs';

/** For a release of before docs/roles.sql. */
const ALL_RIGHTS = 'GRANT ALL ON ALL TABLES IN SCHEMA public TO sales_service';

const NOBODY = 65_534;
export const ACCOUNT = process.getuid() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** The folder of PostgreSQL's programs: that of CITUS_BIN or the system's, which is not on the path of every system. */
export const PROGRAMS =
  process.env.CITUS_BIN ??
  spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() ??
  '';

/** A PostgreSQL of the system's programs with the two roles of docs/operating.md. */
export class Postgres {
  constructor(folder, data, port, settings) {
    Object.assign(this, { folder, data, port, settings });
  }

  /** `data` may lie on a disk of its own; the write-ahead log never does. */
  static async create(folder, data = join(folder, 'data'), settings = []) {
    const server = new this(folder, data, await freePort(), settings);
    for (const path of [folder, data]) {
      mkdirSync(path, { recursive: true });
      chmodSync(path, 0o700);
      if (ACCOUNT.uid) chownSync(path, NOBODY, NOBODY);
    }
    const initdb = [
      '-D',
      data,
      '--waldir',
      join(folder, 'wal'),
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
    ];
    const { status, stderr } = spawnSync(join(PROGRAMS, 'initdb'), initdb, {
      ...ACCOUNT,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
    await server.start();
    await server.createRoles();
    return server;
  }

  async createRoles() {
    await this.query("CREATE ROLE sales_owner LOGIN PASSWORD 'drill'", 'postgres');
    await this.query(
      "CREATE ROLE sales_service LOGIN PASSWORD 'drill' CONNECTION LIMIT 60",
      'postgres',
    );
    await this.query('CREATE DATABASE sales OWNER sales_owner', 'postgres');
  }

  url(role = 'sales_service', database = 'sales') {
    return `postgres://${role}@127.0.0.1:${this.port}/${database}`;
  }

  async query(sql, database = 'sales', values = []) {
    const client = new pg.Client(this.url('postgres', database));
    client.on('error', () => undefined);
    await client.connect();
    return client.query(sql, values).then(({ rows }) => rows).finally(() => client.end()); // prettier-ignore
  }

  /** Migrates with the programs of a release, and gives the service's role its rights. */
  async migrate(cli = CLI, root = ROOT) {
    const env = { PATH: process.env.PATH, DATABASE_URL: this.url('sales_owner') };
    const { status, stderr } = spawnSync(process.execPath, [cli, 'migration', 'run'], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the migration failed: ${stderr}`);
    const rights = await readFile(join(root, 'docs/roles.sql'), 'utf8').catch(() => ALL_RIGHTS);
    await this.query(rights);
  }

  async start() {
    const settings = ['listen_addresses=127.0.0.1', ...this.settings].flatMap((setting) => [
      '-c',
      setting,
    ]);
    const args = ['-D', this.data, '-p', this.port, '-k', this.folder, ...settings];
    this.child = spawn(join(PROGRAMS, 'postgres'), args.map(String), {
      ...ACCOUNT,
      stdio: 'ignore',
    });
    await until(() => this.query('SELECT 1', 'postgres').then(() => true).catch(() => false), 'PostgreSQL to start'); // prettier-ignore
  }

  /** The server and all its backends. */
  get pids() {
    const children = spawnSync('ps', ['--no-headers', '-o', 'pid', '--ppid', this.child.pid], {
      encoding: 'utf8',
    });
    return [this.child.pid, ...children.stdout.split('\n').map(Number).filter(Boolean)];
  }

  signal(pids, signal) {
    for (const pid of pids) if (existsSync(`/proc/${pid}`)) process.kill(pid, signal); // or it ended meanwhile
  }

  async kill() {
    this.signal(this.pids, 'SIGKILL');
    await once(this.child, 'exit');
  }

  async stop() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGINT');
    await once(this.child, 'exit');
  }
}

export function postgresVersion() {
  const { stdout } = spawnSync(join(PROGRAMS, 'postgres'), ['--version'], { encoding: 'utf8' });
  return stdout?.trim();
}

/** Whether the machine lets us mount small disks. */
export function canMount() {
  return process.getuid() === 0 && /tmpfs/.test(readFileSync('/proc/filesystems', 'utf8'));
}
