import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../dist/src/embedded-postgres/embedded-postgres.js';
import { atEnd } from './processes.mjs';

/** Starts a PostgreSQL of the benchmark's own, with durable default settings, which is gone at the end with its data. */
export async function startPostgres() {
  const dataDir = await mkdtemp(join(tmpdir(), 'sales-upload-bench-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startEmbeddedPostgres(dataDir);
  atEnd(() => server.stop());
  const admin = new pg.Client(server.url);
  await admin.connect();
  atEnd(() => admin.end());
  const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  const { rows } = await admin.query('SHOW server_version');
  return {
    pid: Number(pidFile.split('\n', 1)[0]),
    version: rows[0].server_version,
    /** Resolves with a new empty database's URL. */
    async createDatabase(name) {
      await admin.query(`CREATE DATABASE ${name}`);
      return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    },
    /** Lets no slot pay for another's writes, and each begin at the same point of the log. */
    async settle() {
      const vacuuming = `SELECT FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'`;
      for (let tries = 0; tries < 100 && (await admin.query(vacuuming)).rowCount > 0; tries++)
        await delay(100);
      await admin.query('CHECKPOINT');
    },
  };
}

/** Runs statements on a connection of its own and resolves with the last one's rows. */
export async function runSql(url, ...statements) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}
