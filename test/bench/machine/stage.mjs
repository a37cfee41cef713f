import { randomBytes } from 'node:crypto';
import { logIn, startService } from '../contestants/service.mjs';
import { startReference } from '../contestants/reference.mjs';
import { PASSWORD, seed, UPLOADER } from '../contestants/seed.mjs';
import { Load } from '../load/load.mjs';
import { startPostgres } from './postgres.mjs';

/** Everything that scenarios share, started when the first of them asks for it. */
export class Stage {
  secret = randomBytes(48).toString('base64url');
  /** Uploads sent so far by contestant and pattern, so that each slot goes on where the last one ended. */
  sent = new Map();
  /** The processes that have worked before. */
  warm = new Set();
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

  /** The service with the uploader's token, which the reference takes too. */
  service() {
    return this.#once('service', () => this.another('bench_service', () => undefined));
  }

  reference() {
    return this.#once('reference', async () => {
      const { token } = await this.service();
      const url = await (await this.postgres()).createDatabase('bench_reference');
      return { ...(await startReference(url, this.secret)), token };
    });
  }

  /** A load process that is a contestant itself: it runs the service's statement on a database of its own. */
  ceiling() {
    return this.#once('ceiling', async () => ({ url: await this.seededDatabase('bench_ceiling'), load: new Load() }));
  }

  /** A service on a database that nothing but growth and crowd write to. */
  empty() {
    return this.#once('empty', () => this.another('bench_empty', () => undefined));
  }

  /** A further service on a seeded database of its own, which `fill` fills before it starts. */
  async another(name, fill) {
    const url = await this.seededDatabase(name);
    await fill(url);
    const service = await this.startService(url);
    return { ...service, url, token: await logIn(service, UPLOADER, PASSWORD) };
  }

  startService(url, settings = {}, nodeOptions = []) {
    return startService({ DATABASE_URL: url, JWT_SECRET: this.secret, ...settings }, nodeOptions);
  }

  async seededDatabase(name) {
    const url = await (await this.postgres()).createDatabase(name);
    await seed(url);
    return url;
  }

  #once(name, start) {
    if (!this.#started.has(name)) this.#started.set(name, Promise.resolve().then(start));
    return this.#started.get(name);
  }
}
