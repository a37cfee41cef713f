import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, missingMigrations, waitForDatabase } from '../../src/database/migrate.js';
import { execute } from '../../src/testing/test-database.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { eventually, freePort } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, type TestApp, testConfig } from '../support/test-app.js';
import { grantRights } from '../support/test-database.js';

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0;
const whereInstalled = isInstalled ? describe : describe.skip;

whereInstalled('Behind PgBouncer in transaction mode', () => {
  let direct: TestApp;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  let service: TestApp;
  beforeAll(async () => {
    direct = await createTestApp();
    const { database } = direct;
    await database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const owner = await startPgBouncer(database.ownerUrl);
    const migrateAsOwner = () => migrate(testConfig({ DATABASE_URL: owner.url }));
    await Promise.all([migrateAsOwner(), migrateAsOwner()]); // as two instances would
    await owner.stop();
    await grantRights(database.ownerUrl);
    bouncer = await startPgBouncer(database.url);
    const settings = { DATABASE_URL: bouncer.url, DATABASE_PREPARED_STATEMENTS: false };
    service = await direct.another(settings);
  });
  afterAll(async () => {
    await direct.close();
    await bouncer.stop();
  });

  test('two instances that migrate at once both come through; logins, uploads, reading back and revoking work, many at once on two server connections', async () => {
    const isReady = async () => (await service.client.get('/health/ready')).status === 200;
    await eventually(isReady, 'readiness');
    const { token } = await givenTill(service);
    const dates = Array.from({ length: 40 }, (_, index) => `2025-10-${10 + (index % 20)}`);
    const uploads = dates.map((date) => service.client.upload(token, day({ date })));
    const statuses = (await Promise.all(uploads)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const path = '/api/v1/sales/daily?restaurant_id=101&date=2025-10-17';
    expect((await service.client.get(path, { token })).body.records).toHaveLength(24);
    expect((await service.client.post('/api/v1/auth/revoke', {}, { token })).status).toBe(200);
    expect((await service.client.upload(token, [record()])).status).toBe(401);
  });

  test('a start while PostgreSQL is down waits for it', async () => {
    const proxy = await TcpProxy.to(direct.database.url);
    const lone = await startPgBouncer(proxy.url);
    const config = testConfig({ DATABASE_URL: lone.url, RESPONSE_TIMEOUT_MS: 5000 });
    await missingMigrations(config); // PgBouncer knows the server
    proxy.hold();
    let waited = '';
    const missing = await waitForDatabase(config, (reason) => {
      waited = reason;
      proxy.forward();
    });
    expect(missing).toEqual([]);
    expect(waited).toMatch(/^the database cannot be reached/);
    await lone.stop();
    await proxy.close();
  });
});

/** What docs/operating.md tells an operator to set, in transaction mode with very few server connections. */
function iniFor(target: URL, port: number): string {
  const { hostname, port: targetPort, pathname, username, password } = target;
  return `[databases]
through = host=${hostname} port=${targetPort} dbname=${pathname.slice(1)} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
server_login_retry = 1
ignore_startup_parameters = statement_timeout,lock_timeout,options
`;
}

/** Starts a PgBouncer in front of a database; `url` leads through it. */
async function startPgBouncer(url: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'sales-upload-pgbouncer-'));
  const port = await freePort();
  chmodSync(folder, 0o755); // it refuses to be root, and reads this as somebody else
  writeFileSync(join(folder, 'pgbouncer.ini'), iniFor(new URL(url), port));
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const options = { ...account, stdio: 'ignore' } as const;
  const bouncer = spawn('pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], options);
  const exited = once(bouncer, 'exit');
  const through = `postgres://${new URL(url).username}@127.0.0.1:${port}/through`;
  const isUp = () => execute(through, 'SELECT').then(() => true, () => false); // prettier-ignore
  await eventually(isUp, 'PgBouncer');
  return {
    url: through,
    stop: async () => {
      bouncer.kill('SIGINT');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
