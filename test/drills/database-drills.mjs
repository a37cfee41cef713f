import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ACCOUNT, FAULT_MS } from './postgres.mjs';
import { freePort } from './programs.mjs';

/** Returns a function that kills it. */
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
  const child = spawn('pgbouncer', ['-q', file], { ...ACCOUNT, stdio: 'ignore' });
  return async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
}

export const DATABASE_DRILLS = [
  {
    name: 'postgres-killed',
    what: 'kill -9 of PostgreSQL and all its backends, which is away for 8 seconds',
    run: (scene) => scene.underLoad(() => scene.postgres.kill()),
  },
  {
    name: 'postgres-frozen',
    what: 'SIGSTOP of PostgreSQL and all its backends for 8 seconds',
    run: (scene) => scene.underLoad(() => scene.postgres.freeze()),
  },
  {
    name: 'no-standby',
    what: 'every commit waits for a synchronous standby that is away, for 20 seconds',
    run: (scene) =>
      scene.underLoad(async () => {
        const { postgres } = scene;
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
      }),
  },
  {
    name: 'pgbouncer-killed',
    what: 'kill -9 of PgBouncer, which is away for 8 seconds',
    needs: ['pgbouncer'],
    run: async (scene) => {
      const { folder, postgres } = scene;
      const port = await freePort();
      let kill = startPgBouncer(folder, postgres, port);
      scene.cleanUp.push(() => kill());
      const fault = async () => {
        await kill();
        await delay(FAULT_MS);
        kill = startPgBouncer(folder, postgres, port);
      };
      const DATABASE_URL = `postgres://sales_service@127.0.0.1:${port}/sales`;
      await scene.underLoad(fault, { DATABASE_URL, DATABASE_PREPARED_STATEMENTS: 'false' });
    },
  },
  {
    name: 'data-disk-full',
    what: "no space on PostgreSQL's data disk for 8 seconds; readiness stays",
    needs: ['small data disk'],
    run: (scene) =>
      scene.underLoad(async ({ url }) => {
        const file = join(scene.postgres.data, 'filling');
        spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M']); // until nothing more fits
        await delay(FAULT_MS);
        const { status } = await fetch(`${url}/health/ready`);
        rmSync(file);
        assert.equal(status, 200, `/health/ready responded ${status}`);
      }),
  },
];
