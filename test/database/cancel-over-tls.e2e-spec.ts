import { spawnSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GuardedPool } from '../../src/database/guarded-pool.js';
import { EmbeddedPlayground, query } from '../support/embedded-playground.js';
import { eventually } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const CANCEL_REQUEST = 80_877_102;
const SLEEP = `SELECT nextval('sleeps'), pg_sleep(61)`;
const SLEEPING = `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(61)' AND pid <> pg_backend_pid()`;
const testWithOpenssl = spawnSync('openssl', ['version']).status === 0 ? test : test.skip;

let playground: EmbeddedPlayground;
let url: string;
let certificate: string;
beforeAll(async () => {
  playground = await EmbeddedPlayground.make();
  const dataDir = join(playground.root, 'data');
  await playground.start(dataDir);
  await playground.stopAll();
  const cluster = join(dataDir, 'postgres');
  const key = join(cluster, 'server.key');
  certificate = join(cluster, 'server.crt');
  const name = ['-subj', '/CN=sales.example', '-addext', 'subjectAltName=IP:127.0.0.1'];
  spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...name, '-keyout', key, '-out', certificate]);
  const { uid, gid } = statSync(cluster);
  for (const file of [key, certificate]) chownSync(file, uid, gid);
  ({ url } = await playground.start(dataDir, { ssl: 'on' }));
  await query(url, 'CREATE SEQUENCE sleeps');
});
afterAll(async () => {
  await playground.stopAll();
  await playground.remove();
});

testWithOpenssl.each(['postgres', 'direct'])('A statement given up is cancelled over TLS: %s', async (negotiation) => {
  const proxy = await TcpProxy.to(url);
  const options = `sslmode=verify-full&sslrootcert=${certificate}&sslnegotiation=${negotiation}`;
  const pool = new GuardedPool({ connectionString: `${proxy.url}?${options}`, query_timeout: 3000 });
  const client = await pool.connect();
  await expect(client.query(SLEEP)).rejects.toThrow('Query read timeout');
  expect(await query(url, 'SELECT is_called FROM sleeps')).toEqual([{ is_called: true }]);
  await query(url, 'ALTER SEQUENCE sleeps RESTART');
  client.release();
  await eventually(async () => (await query(url, SLEEPING)).length === 0, 'the statement to end');
  await pool.end();
  await proxy.close();
  expect(proxy.greetings).toHaveLength(2);
  for (const greeting of proxy.greetings) expect(greeting.readInt32BE(4)).not.toBe(CANCEL_REQUEST);
});
