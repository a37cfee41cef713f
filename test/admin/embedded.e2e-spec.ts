import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Client } from '../support/client.js';
import { BARE_ENVIRONMENT, runProgram, type Ran } from '../support/command-line.js';

const MAIN = join(__dirname, '../../dist/src/main.js');

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'admin-embedded-test-'));
  await chmod(dataDir, 0o755);
});
afterAll(() => rm(dataDir, { recursive: true }));

function run(...args: string[]): Promise<Ran> {
  return runProgram(args, { env: { DATABASE_URL: '', DATA_DIR: dataDir } });
}

test('The embedded database is created only when asked for, and shared with the service that runs', async () => {
  const unasked = await run('restaurant', 'add', '5', '--name', 'Five');
  expect(unasked).toMatchObject({ status: 1, stdout: '' });
  expect(unasked.stderr).toBe(
    `DATABASE_URL is not set and ${dataDir} holds no embedded database: set DATABASE_URL to the service's database, ` +
      'or give --embedded to create one there\n',
  );
  expect(readdirSync(dataDir)).toEqual([]);
  const asked = await run('restaurant', 'add', '5', '--name', 'Five', '--embedded');
  expect(asked).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(join(dataDir, 'jwt-secret'))).toBe(false); // a command signs nothing
  const service = spawn(process.execPath, [MAIN], {
    env: { ...BARE_ENVIRONMENT, DATABASE_URL: '', DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
  });
  try {
    const client = new Client(await listening(service.stdout));
    expect((await run('restaurant', 'list')).stdout).toMatch(/\n5 +Five +open\n101 +Demo Restaurant +open\n$/);
    expect((await client.login('demo', 'demo-password')).status).toBe(200);
    expect(await run('user', 'disable', 'demo')).toMatchObject({ status: 0, stderr: '' });
    expect((await client.login('demo', 'demo-password')).status).toBe(403);
  } finally {
    service.kill('SIGINT');
    await once(service, 'exit');
  }
  expect(service.exitCode).toBe(0);
});

async function listening(stdout: Readable): Promise<string> {
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    const url = /^listening on (\S+)$/m.exec(String(chunk))?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the service did not start');
}
