import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { startPostgres } from './postgres.mjs';
import { forkHere, Load } from './processes.mjs';
import { PASSWORD, seed, UPLOADER } from './servers/seed.mjs';
import { logIn, startService, THIS_VERSION } from './servers/service.mjs';

/** What scenarios share, started when the first of them asks for it. */
export class Stage {
  /** Uploads sent so far by contestant and pattern: each slot goes on where the last one ended. */
  sent = new Map();
  /** The processes, and kinds of requests, that have worked before. */
  warm = new Set();
  #secret = randomBytes(48).toString('base64url');
  #started = new Map();

  constructor(options, tell) {
    this.options = options;
    this.tell = tell;
  }

  postgres() {
    return this.#once('postgres', startPostgres);
  }

  load(name = 'load') {
    return this.#once(name, () => new Load());
  }

  /** The versions of the service that are compared, this one first. */
  versions() {
    const { against } = this.options;
    const versions = [{ name: 'service', folder: THIS_VERSION }];
    return against ? [...versions, { name: 'before', folder: against }] : versions;
  }

  /** A service of each version, with a token. */
  services() {
    return this.#once('services', async () => {
      const services = [];
      for (const version of this.versions()) {
        const service = await this.start(version, await this.database(version, 'uploads'));
        const token = await logIn(service, UPLOADER, PASSWORD);
        services.push({ ...version, ...service, token });
      }
      return services;
    });
  }

  /** The bare server, which takes the tokens of this version, before the services. */
  withReference() {
    return this.#once('reference', async () => {
      const services = await this.services();
      const DATABASE_URL = await (await this.postgres()).createDatabase('bench_reference');
      const environment = { DATABASE_URL, JWT_SECRET: this.#secret, NODE_ENV: 'production' };
      const child = forkHere('servers/reference-server.mjs', environment);
      const [{ port }] = await once(child, 'message');
      const { token } = services[0];
      return [{ name: 'reference', port, pid: child.pid, token }, ...services];
    });
  }

  start({ folder }, url, settings = {}) {
    return startService(folder, { DATABASE_URL: url, JWT_SECRET: this.#secret, ...settings });
  }

  /** Resolves with the URL of a new seeded database of a version. */
  async database({ name, folder }, purpose) {
    const url = await (await this.postgres()).createDatabase(`bench_${purpose}_${name}`);
    await seed(folder, url);
    return url;
  }

  #once(name, start) {
    if (!this.#started.has(name)) this.#started.set(name, Promise.resolve().then(start));
    return this.#started.get(name);
  }
}
