import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import bcrypt from 'bcrypt';
import { CitusCluster } from './citus-cluster.mjs';
import { Load, logIn, PASSWORD, RESTAURANTS } from './load.mjs';
import { PatroniCluster } from './patroni.mjs';
import { ACCOUNT, Postgres } from './postgres.mjs';
import { run, Service, until } from './programs.mjs';

export const CALM_MS = 3000;

/** What a drill works with; everything added to `cleanUp` is undone, last first. */
export class Scene {
  folder = mkdtempSync(join(tmpdir(), 'sales-upload-drill-'));
  cleanUp = [() => rmSync(this.folder, { recursive: true, force: true })];

  /** Starts the PostgreSQL that a drill needs, with the tables of this release or of the previous one. */
  async prepare(needs, previous) {
    const disk = needs.includes('small data disk') ? this.mountDisk() : undefined;
    const clusters = { patroni: PatroniCluster, citus: CitusCluster };
    this.postgres = await (clusters[needs[0]] ?? Postgres).create(this.folder, disk);
    this.cleanUp.push(() => this.postgres.stop());
    if (needs.includes('previous')) this.previous = previous;
    await this.postgres.migrate(this.previous);
    await this.postgres.query(
      `INSERT INTO restaurants (id, name) SELECT n, 'Restaurant ' || n FROM generate_series(1, $1::integer) AS n`,
      [RESTAURANTS],
    );
    await this.postgres.query(
      `INSERT INTO users (username, password_hash, all_restaurants) VALUES ('till', $1, true)`,
      [bcrypt.hashSync(PASSWORD, 10)],
    );
  }

  mountDisk() {
    const path = join(this.folder, 'data');
    mkdirSync(path);
    const options = `size=400m,mode=700,uid=${ACCOUNT.uid},gid=${ACCOUNT.gid}`;
    run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]);
    this.cleanUp.push(() => run('umount', ['-l', path]));
    return path;
  }

  async startService(settings, options) {
    const { folder, postgres } = this;
    const database = { DATABASE_URL: postgres.url(), MIGRATE_ON_START: 'false' };
    const service = await Service.start({ ...database, ...settings }, { folder, ...options });
    this.cleanUp.push(() => service.stop());
    return service;
  }

  /** Uploads to these, for a while before anything else happens. */
  async begin(services) {
    this.load = new Load(services, [await logIn(services[0], 'till')]);
    this.cleanUp.push(() => this.load.stop());
    await delay(CALM_MS);
  }

  /** Uploads must succeed again after the fault. */
  async underLoad(fault, settings) {
    const service = await this.startService(settings);
    await this.begin([service]);
    await fault(service);
    const endedAt = performance.now();
    const before = this.load.acknowledged.size;
    await until(() => this.load.acknowledged.size > before, 'uploads to succeed again');
    this.load.againMs = performance.now() - endedAt;
    await delay(CALM_MS);
    const rejected = { ...this.load.other };
    await delay(CALM_MS);
    assert.deepEqual(this.load.other, rejected, 'uploads were still rejected after seconds');
  }
}
