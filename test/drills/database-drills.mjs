import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fillDisk } from './fill-disk.mjs';
import { freePort, until } from './process.mjs';

/** Long enough for both sides of a fault to be seen. */
const CALM_MS = 3000;
export const FAULT_MS = 8000;

export async function underLoad({ startService, begin }, fault, settings) {
  const service = await startService(settings);
  const load = await begin([service.url]);
  await delay(CALM_MS);
  await fault(service, load);
  const before = load.acknowledged.size;
  await until(() => load.acknowledged.size > before, 'uploads to succeed again');
  await delay(CALM_MS);
  return load;
}

async function startPgBouncer(folder, postgres, port) {
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
  const account = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn('pgbouncer', ['-q', file], { ...account, stdio: 'ignore' });
  return {
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

export const DATABASE_DRILLS = [
  {
    name: 'postgres-killed',
    what: 'kill -9 of PostgreSQL and all its backends, which is away for 8 seconds',
    run: (scene) =>
      underLoad(scene, async () => {
        await scene.postgres.kill();
        await delay(FAULT_MS);
        await scene.postgres.start();
      }),
  },
  {
    name: 'postgres-frozen',
    what: 'SIGSTOP of PostgreSQL and all its backends for 8 seconds',
    run: (scene) =>
      underLoad(scene, async () => {
        const { pids } = scene.postgres;
        scene.postgres.signal(pids, 'SIGSTOP');
        await delay(FAULT_MS);
        scene.postgres.signal(pids, 'SIGCONT');
      }),
  },
  {
    name: 'no-standby',
    what: 'every commit waits for a synchronous standby that is away, for 20 seconds',
    run: (scene) =>
      underLoad(scene, async () => {
        const { postgres, expect } = scene;
        const setStandby = async (name) => {
          await postgres.query(
            `ALTER SYSTEM SET synchronous_standby_names = '${name}'`,
            'postgres',
          );
          await postgres.query('SELECT pg_reload_conf()', 'postgres');
        };
        await setStandby('absent');
        await delay(20_000);
        const [{ count }] = await postgres.query(
          `SELECT count(*)::integer FROM pg_stat_activity WHERE usename = 'sales_service'`,
          'postgres',
        );
        expect(count <= 20, `${count} connections of one process with a pool of 8`);
        await setStandby('');
      }),
  },
  {
    name: 'pgbouncer-killed',
    what: 'kill -9 of PgBouncer, which is away for 8 seconds',
    needs: ['pgbouncer'],
    run: async (scene) => {
      const { folder, postgres, cleanUp } = scene;
      const port = await freePort();
      let bouncer = await startPgBouncer(folder, postgres, port);
      cleanUp.push(() => bouncer.kill());
      const fault = async () => {
        await bouncer.kill();
        await delay(FAULT_MS);
        bouncer = await startPgBouncer(folder, postgres, port);
      };
      const DATABASE_URL = `postgres://sales_service@127.0.0.1:${port}/sales`;
      return underLoad(scene, fault, { DATABASE_URL, DATABASE_PREPARED_STATEMENTS: 'false' });
    },
  },
  {
    name: 'data-disk-full',
    what: "no space on PostgreSQL's data disk for 8 seconds; readiness stays",
    needs: ['small data disk'],
    run: (scene) =>
      underLoad(scene, async ({ url }) => {
        const file = fillDisk(scene.postgres.data);
        await delay(FAULT_MS);
        const { status } = await fetch(`${url}/health/ready`);
        scene.expect(status === 200, `/health/ready responded ${status}`);
        rmSync(file);
      }),
  },
];
