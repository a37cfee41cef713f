import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { logIn } from './load.mjs';
import { ACCOUNT, FAULT_MS, Postgres, PROGRAMS, query } from './postgres.mjs';
import { end, freePort, ROOT, runCommand } from './programs.mjs';
import { CALM_MS } from './scene.mjs';

function startPgBouncer(folder, postgres, port) {
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
sales = host=127.0.0.1 port=${postgres.port} dbname=sales user=sales_service
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
server_login_retry = 1
ignore_startup_parameters = extra_float_digits,statement_timeout,lock_timeout,options
`,
  );
  chmodSync(file, 0o644);
  return spawn('pgbouncer', ['-q', file], { ...ACCOUNT, stdio: 'ignore' });
}

async function killPgBouncer(scene) {
  const { folder, postgres } = scene;
  const port = await freePort();
  let child = startPgBouncer(folder, postgres, port);
  scene.cleanUp.push(() => end(child, 'SIGKILL'));
  const fault = async () => {
    await end(child, 'SIGKILL');
    await delay(FAULT_MS);
    child = startPgBouncer(folder, postgres, port);
  };
  const DATABASE_URL = `postgres://sales_service@127.0.0.1:${port}/sales`;
  await scene.underLoad(fault, { DATABASE_URL, DATABASE_PREPARED_STATEMENTS: 'false' });
}

async function takeStandbyAway({ postgres }) {
  const setStandby = async (name) => {
    await postgres.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await postgres.query('SELECT pg_reload_conf()');
  };
  await setStandby('absent');
  await delay(20_000);
  const [{ count }] = await postgres.query(
    `SELECT count(*)::integer FROM pg_stat_activity WHERE usename = 'sales_service'`,
  );
  await setStandby('');
  assert.ok(count <= 20, `${count} connections of one process with a pool of 8`);
}

/** Holds locks by a session of another program for a while. */
async function holdLocks({ postgres }, sql, meanwhile = () => delay(FAULT_MS)) {
  const holder = new pg.Client(postgres.url('postgres'));
  await holder.connect();
  await holder.query(`BEGIN; ${sql}`);
  await meanwhile().finally(() => holder.end());
}

const lockTable = (scene) => holdLocks(scene, 'LOCK TABLE hourly_sales');

/** Four tills repeat a day whose row is held, of which no other upload may notice anything. */
async function holdRow(scene) {
  const { load } = scene;
  const upload = { token: load.tokens[0], restaurant: 1, date: '1999-01-01', number: 1 };
  await load.send(upload);
  await holdLocks(
    scene,
    `UPDATE sales_days SET uploads = uploads WHERE date = '1999-01-01'`,
    () => {
      const until = performance.now() + FAULT_MS;
      const repeat = async () => {
        while (performance.now() < until) assert.equal(await load.send(upload), 503);
      };
      return Promise.all(Array.from({ length: 4 }, repeat));
    },
  );
  assertServed(scene);
}

/** New sessions are read-only for a while, and outlive the end of that. */
async function makeReadOnly({ postgres }) {
  await postgres.query('ALTER DATABASE sales SET default_transaction_read_only = on');
  await postgres.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'sales_service'`,
  );
  await delay(FAULT_MS);
  await postgres.query('ALTER DATABASE sales RESET default_transaction_read_only', [], 'postgres');
}

async function fillDataDisk({ postgres }, { url }) {
  const file = join(postgres.data, 'filling');
  spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M']); // until nothing more fits
  await delay(FAULT_MS);
  const { status } = await fetch(`${url}/health/ready`);
  rmSync(file);
  assert.equal(status, 200, `/health/ready responded ${status}`);
}

/** Two nights of backups with their restore test, and a restore onto a server that has no roles yet. */
async function backUp({ folder, postgres }) {
  const backups = join(folder, 'backups');
  const PATH = `${PROGRAMS}:${process.env.PATH}`;
  const bash = (script, args, env) =>
    promisify(execFile)('bash', [join(ROOT, 'deploy/backup', script), ...args], {
      env: { ...env, PATH },
    });
  await postgres.query('CREATE DATABASE sales_test OWNER sales_owner');
  const env = {
    DATABASE_URL: postgres.url('sales_owner'),
    RESTORE_TEST_URL: postgres.url('sales_owner', 'sales_test'),
    KEEP: '1',
  };
  for (let night = 1; night <= 2; night++) {
    await delay(1000); // the names of dumps have seconds
    await bash('backup.sh', [backups], env);
  }
  const dumps = readdirSync(backups);
  assert.equal(dumps.length, 1, `${dumps} are kept`);
  const bare = await Postgres.createBare(join(folder, 'bare'));
  try {
    await bare.query('CREATE DATABASE sales', [], 'postgres');
    const restore = () => bash('restore.sh', [join(backups, dumps[0]), bare.url('postgres')], {});
    await assert.rejects(restore, /lacks the role sales_service/);
    await bare.query('DROP DATABASE sales', [], 'postgres');
    await bare.createRoles();
    await restore();
    await runCommand(bare.url(), 'sales verify');
  } finally {
    await bare.stop();
  }
}

/** Two instances under uploads. */
async function startTwo(scene, root) {
  const start = () => scene.startService({ SHUTDOWN_DELAY_MS: '500' }, { root });
  const services = [await start(), await start()];
  await scene.begin(services);
  return services;
}

/** Restarts instances one after the other, in which no upload may be rejected. */
async function restart({ load }, services, root, settings) {
  for (const service of services) {
    await service.stop();
    Object.assign(service.settings, settings);
    await service.start(root);
    await delay(1000);
  }
  await delay(CALM_MS);
  assert.deepEqual(load.other, {}, 'uploads were rejected');
}

/** To this release and to the previous one again; a backup reads while the tables are migrated. */
async function upgradeAndBack(scene) {
  const services = await startTwo(scene, scene.previous);
  const reader = new pg.Client(scene.postgres.url('sales_owner'));
  await reader.connect();
  await reader.query('BEGIN; SELECT FROM uploads, hourly_sales, restaurants, users LIMIT 1');
  const migrating = scene.postgres.migrate();
  await delay(FAULT_MS);
  await reader.end();
  await migrating;
  for (const root of [ROOT, scene.previous]) await restart(scene, services, root);
}

/** Replaces the signing secret as docs/operating.md says, and uploads with tokens of every step. */
async function rotateSecret(scene) {
  const services = await startTwo(scene);
  const secrets = [services[0].settings.JWT_SECRET, 'mW3xQ7bN1zR8kT5vC2yL9pJ4hG6fD0sA'];
  for (const [JWT_SECRET, JWT_PREVIOUS_SECRET] of [secrets, secrets.toReversed()]) {
    await restart(scene, services, ROOT, { JWT_SECRET, JWT_PREVIOUS_SECRET });
    scene.load.tokens.push(await logIn(services[0], 'till'));
  }
  await restart(scene, services);
}

/** Changes the password of the service's role as docs/operating.md says: by its second login. */
async function rotatePassword(scene) {
  const { postgres } = scene;
  const asks = 'host sales sales_service,sales_service_b 127.0.0.1/32 scram-sha-256';
  const rules = join(postgres.data, 'pg_hba.conf');
  const trusting = readFileSync(rules, 'utf8');
  const setRules = (text) => {
    writeFileSync(rules, text);
    return postgres.query('SELECT pg_reload_conf()');
  };
  await setRules(`${asks}\n${trusting}`);
  const login = (role) => ({ DATABASE_URL: postgres.url(`${role}:drill`) });
  const start = () => scene.startService({ SHUTDOWN_DELAY_MS: '500', ...login('sales_service') });
  const services = [await start(), await start()];
  await scene.begin(services);
  const logins = ['sales_service', 'sales_service_b'];
  for (const [before, after] of [logins, logins.toReversed()]) {
    await postgres.query(`ALTER ROLE ${after} PASSWORD 'drill'`);
    await restart(scene, services, ROOT, login(after));
    await postgres.query(`ALTER ROLE ${before} PASSWORD NULL`);
    await assert.rejects(query(login(before).DATABASE_URL, 'SELECT'), /authentication failed/);
  }
  await scene.load.stop();
  await setRules(trusting); // for what counts the uploads
}

/** While nothing of the log can be written, uploads succeed, and the service ends by itself. */
const withoutLog = (stdout) => async (scene) => {
  const service = await scene.startService({}, { stdout: stdout() });
  await scene.begin([service]);
  await delay(CALM_MS);
  await scene.load.stop();
  await service.stop();
  assertServed(scene);
  assert.equal(service.child.exitCode, 0, 'the service had to be killed');
};

/** While a node is away the others serve their restaurants, and the coordinator logins. */
async function serveWithout({ load }, service) {
  const before = load.acknowledged.size;
  const until = performance.now() + FAULT_MS;
  while (performance.now() < until) {
    // Busy hash threads are not a fault.
    await logIn(service, 'till').catch(({ message }) => assert.match(message, / 503 /));
    await delay(500);
  }
  assert.ok(load.acknowledged.size > before, 'uploads to the other worker were not saved');
}

async function addWorker(cluster) {
  await cluster.addWorker();
  await cluster.query(
    `SELECT rebalance_table_shards('sales_days', shard_transfer_mode := 'force_logical')`,
  );
}

/** Moves the shards of six restaurants to another worker each. */
async function moveShards(cluster) {
  const move = `
    SELECT citus_move_shard_placement(p.shardid, a.nodename, a.nodeport, b.nodename, b.nodeport, $2::citus.shard_transfer_mode)
    FROM pg_dist_placement AS p
    JOIN pg_dist_node AS a USING (groupid)
    JOIN pg_dist_node AS b ON b.groupid <> p.groupid AND b.shouldhaveshards
    WHERE p.shardid = get_shard_id_for_distribution_column('sales_days', $1::integer)
    LIMIT 1`;
  for (let restaurant = 1; restaurant <= 6; restaurant++)
    await cluster.query(move, [restaurant, ['block_writes', 'force_logical'][restaurant % 2]]);
}

async function freezeWorker(scene) {
  await scene.underLoad((service) =>
    scene.postgres.workers[0].freeze(() => serveWithout(scene, service)),
  );
  const { slowestMs, longestGapMs } = scene.load;
  assert.ok(slowestMs < 5000, `a response took ${Math.round(slowestMs)} ms`);
  // Uploads of the others that got a connection which still waits for the worker would take longer.
  assert.ok(longestGapMs < 4000, `no upload was saved for ${Math.round(longestGapMs)} ms`);
}

const killPostgres = (scene) => scene.underLoad(() => scene.postgres.kill());
const freezePostgres = (scene) => scene.underLoad(() => scene.postgres.freeze());
const killWorker = (scene) =>
  scene.underLoad((one) => scene.postgres.workers[0].kill(() => serveWithout(scene, one)));
const during = (fault) => (scene) => scene.underLoad((service) => fault(scene, service));

/** Changes the cluster, during which every upload must succeed. */
const unnoticed = (change) => async (scene) => {
  await scene.underLoad(() => change(scene.postgres));
  assertServed(scene);
};

function assertServed({ load: { other, none } }) {
  assert.deepEqual([other, none], [{}, 0], 'uploads were not served all the time');
}

/** Name, needs, what happens, and how. */
export const FAULTS = [
  ['postgres-killed', [], 'kill -9 of PostgreSQL, away for 8 seconds', killPostgres],
  ['postgres-frozen', [], 'SIGSTOP of PostgreSQL for 8 seconds', freezePostgres],
  ['no-standby', [], 'a synchronous standby is away for 20 seconds', during(takeStandbyAway)],
  ['pgbouncer-killed', ['pgbouncer'], 'kill -9 of PgBouncer, away for 8 seconds', killPgBouncer],
  ['data-disk-full', ['small data disk'], 'for 8 seconds; it stays ready', during(fillDataDisk)],
  ['table-locked', [], 'another program locks a table for 8 seconds', during(lockTable)],
  ['row-held', [], 'another program holds the row of a day for 8 seconds', during(holdRow)],
  ['read-only', [], 'the database is read-only for 8 seconds', during(makeReadOnly)],
  ['backup', [], 'two nights, and a restore onto a bare server', during(backUp)],
  [
    'log-disk-full',
    [],
    'the disk of the log is full',
    withoutLog(() => openSync('/dev/full', 'w')),
  ],
  ['log-stalled', [], 'nobody reads the log any more', withoutLog(() => 'pipe')],
  ['key-rotation', [], 'the signing secret is replaced under uploads', rotateSecret],
  ['password-rotation', [], "the service's role gets another password", rotatePassword],
  [
    'rolling-upgrade',
    ['previous'],
    'to this release and back, one by one, while a backup reads',
    upgradeAndBack,
  ],
  ['citus-worker-added', ['citus'], 'a third worker takes its shards', unnoticed(addWorker)],
  ['citus-shards-moved', ['citus'], 'blocking writes and logically', unnoticed(moveShards)],
  ['citus-worker-killed', ['citus'], 'kill -9 of a worker, away for 8 seconds', killWorker],
  ['citus-worker-frozen', ['citus'], 'SIGSTOP of a worker for 8 seconds', freezeWorker],
  ['citus-coordinator-killed', ['citus'], 'kill -9, away for 8 seconds', killPostgres],
];
