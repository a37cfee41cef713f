import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hash } from 'bcrypt';
import { openEmbeddedPostgres } from '../../dist/src/embedded-postgres/embedded-postgres.js';
import { logIn, PASSWORD } from '../drills/load.mjs';
import { query } from '../drills/postgres.mjs';
import { ROOT, runCommand, Service } from '../drills/programs.mjs';
import { FIRST_RESTAURANT, RESTAURANTS } from './load.mjs';

/** Many logins wait for their hash in a scenario. */
const SETTINGS = { HASH_QUEUE_MAX: '64' };

/** What scenarios share: a PostgreSQL with durable default settings, and warm processes on it. */
export class Stage {
  folder = mkdtempSync(join(tmpdir(), 'sales-upload-bench-'));
  running = [];

  constructor(options) {
    this.options = options;
    /** The versions of the service that are compared, this one first. */
    this.versions = [{ name: 'service', root: ROOT }];
    if (options.against) this.versions.push({ name: 'before', root: options.against });
  }

  /** Starts a service of each version, and the bare servers, which take the tokens of this one. */
  async open() {
    this.postgres = await openEmbeddedPostgres(this.folder);
    this.services = [];
    for (const version of this.versions) {
      const service = await this.start(version, await this.database(version, 'uploads'));
      const token = await logIn(service, 'head-office');
      this.services.push({ name: version.name, service, token });
    }
    const references = [await this.openReference('reference', 'fastify')];
    if (this.options.nest) references.push(await this.openReference('bare Nest', 'nest'));
    this.contestants = [...references, ...this.services];
  }

  async openReference(name, FRAMEWORK) {
    const program = 'test/bench/reference-server.mjs';
    const url = await this.createDatabase(`reference_${FRAMEWORK}`);
    const service = await this.start({ program }, url, { FRAMEWORK });
    return { name, service, token: this.services[0].token };
  }

  async close() {
    for (const service of this.running) await service.stop();
    await this.postgres?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async start({ root, program }, url, settings = {}) {
    const environment = { ...SETTINGS, DATABASE_URL: url, ...settings };
    const { folder } = this;
    const service = await Service.start(environment, { folder, root, program });
    this.running.push(service);
    return service;
  }

  /** Resolves with the URL of a new database of a version: a user for every restaurant, and one who was granted all. */
  async database({ name, root }, purpose, { restaurants = RESTAURANTS, cost = 10 } = {}) {
    const url = await this.createDatabase(`${purpose}_${name}`);
    await runCommand(url, 'migration run', root);
    await query(
      url,
      `INSERT INTO restaurants (id, name)
         SELECT id, 'Restaurant ' || id FROM generate_series(${FIRST_RESTAURANT}, ${FIRST_RESTAURANT + restaurants - 1}) AS id;
       -- Versions without the column expect every day of every restaurant.
       DO $$ BEGIN UPDATE restaurants SET first_day = '2000-01-01';
       EXCEPTION WHEN undefined_column THEN NULL; END $$;
       INSERT INTO users (username, password_hash)
         SELECT username, '${await hash(PASSWORD, cost)}'
         FROM (SELECT 'till-' || id FROM restaurants UNION ALL SELECT 'head-office') AS new (username);
       INSERT INTO restaurant_grants (user_id, restaurant_id)
         SELECT users.id, restaurants.id FROM users, restaurants
         WHERE username IN ('till-' || restaurants.id, 'head-office');
       INSERT INTO known_addresses (user_id, network, last_login_at) SELECT id, '127.0.0.1', now() FROM users;
       ANALYZE restaurants, users, restaurant_grants -- as in real life, of tables that hold something`,
    );
    return url;
  }

  async createDatabase(name) {
    await query(this.postgres.url, `CREATE DATABASE bench_${name}`);
    return Object.assign(new URL(this.postgres.url), { pathname: `/bench_${name}` }).href;
  }

  /** Lets no slot pay for another's writes, and each begin at the same point of the log. */
  async settle() {
    const vacuuming = `SELECT FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'`;
    const { url } = this.postgres;
    for (let tries = 0; tries < 100 && (await query(url, vacuuming)).length > 0; tries++)
      await delay(100);
    await query(url, 'CHECKPOINT');
  }

  get postgresPid() {
    const [pid] = readFileSync(join(this.folder, 'postgres/postmaster.pid'), 'utf8').split('\n');
    return Number(pid);
  }
}
