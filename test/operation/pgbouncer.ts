import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import { eventually } from '../support/service-process.js';

export const PGBOUNCER_IS_INSTALLED = spawnSync('pgbouncer', ['--version']).status === 0;

/** What docs/operating.md tells an operator to set, in transaction mode with very few server connections. */
function settings(target: URL, port: number): string {
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
export async function startPgBouncer(url: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'sales-upload-pgbouncer-'));
  const port = await freePort();
  chmodSync(folder, 0o755); // it refuses to be root, and reads this as somebody else
  writeFileSync(join(folder, 'pgbouncer.ini'), settings(new URL(url), port));
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const bouncer = spawn('pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], {
    ...account,
    stdio: 'ignore',
  });
  const exited = once(bouncer, 'exit');
  await eventually(() => canConnect(port), 'PgBouncer');
  const through = `postgres://${new URL(url).username}@127.0.0.1:${port}/through`;
  return {
    url: through,
    stop: async () => {
      bouncer.kill('SIGINT');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return connected;
}
