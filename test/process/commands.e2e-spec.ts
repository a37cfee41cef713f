import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { migrations } from '../../migrations/index.js';
import { reasonOf } from '../../src/admin/admin.errors.js';
import { Database } from '../../src/database/database.js';
import { Overloaded } from '../../src/http/errors/http.errors.js';
import { openApp } from '../../src/server/open-app.js';
import { BARE_ENVIRONMENT, CommandLine, PROGRAM } from '../support/command-line.js';
import { givenTill } from '../support/given.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp, testConfig } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let service: TestApp;
let database: TestDatabase;
beforeAll(async () => {
  service = await createTestApp();
  ({ database } = service);
});
afterAll(() => service.close());

describe('The program', () => {
  const tool = spawnSync('script', ['--version']).status === 0 ? test : test.skip; // util-linux, for a pseudo terminal
  tool('asks for a password on a terminal without showing it, and no log disturbs it', async () => {
    await givenTill(service, { username: 'till' });
    const command = `'${process.execPath}' '${PROGRAM}' user set-password till`;
    const noisy = { LOG_LEVEL: 'trace', DEBUG: '*', NODE_ENV: 'production' }; // without JWT_SECRET, which it never needs
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...BARE_ENVIRONMENT, ...noisy, DATABASE_URL: database.url },
    });
    let screen = '';
    for await (const chunk of child.stdout) {
      const before = screen;
      screen += String(chunk);
      for (const question of ['Password: ', 'Repeat password: ']) {
        if (screen.includes(question) && !before.includes(question))
          child.stdin.write('hidden words\r');
      }
    }
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0);
    const asked = /^Password: \r?\nRepeat password: \r?\nuser "till" has a new password[^\n]*\n$/;
    expect(screen).toMatch(asked);
  });

  test('fails where the disk is full under its output', () => {
    const stdout = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'user', 'list'], {
      env: { ...BARE_ENVIRONMENT, DATABASE_URL: database.url },
      stdio: ['ignore', stdout, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(stdout);
    expect([status, stderr]).toEqual([1, 'ENOSPC: no space left on device, write\n']);
  });

  test('begun and never ended: the audit log shows a command that was killed half-way', async () => {
    await database.query(`INSERT INTO users (username, password_hash) VALUES ('held', 'x')`);
    const find = () => database.query(`SELECT outcome FROM audit_log WHERE subject = 'held'`);
    await database.query(`BEGIN; SELECT FROM users WHERE username = 'held' FOR UPDATE`);
    const child = spawn(process.execPath, [PROGRAM, 'user', 'disable', 'held'], {
      env: { ...BARE_ENVIRONMENT, DATABASE_URL: database.url },
    });
    await eventually(async () => (await find()).length > 0, 'the command to begin');
    child.kill('SIGKILL');
    expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
    await database.query('ROLLBACK');
    expect(await find()).toEqual([{ outcome: 'begun' }]);
    const { stdout } = await new CommandLine(service.app).run('audit list --user held'.split(' '));
    expect(stdout).toMatch(/ user disable +held +begun +run=[\da-f-]{36} argv=\["held"\]$/m);
  });
});

test('migration runs on a database without tables, and nothing else does; run, status and revert print what they did', async () => {
  const empty = await createTestDatabase('template0');
  const asOwner = testConfig({ DATABASE_URL: empty.ownerUrl });
  const admin = CommandLine.opening(asOwner);
  const printed = async (...args: string[]) => (await admin.run(['migration', ...args])).stdout;
  const latest = migrations.at(-1)!.name;
  const reason = /^the database is not migrated .*: run the command "migration run"$/;
  await expect(openApp({}, asOwner)).rejects.toThrow(reason);
  expect(await printed('status')).toMatch(/^NAME +STATUS\nPrepareDatabase\d+ +pending\n/);
  const none = { status: 1, stdout: '', stderr: 'no migration has run\n' };
  expect(await admin.run(['migration', 'revert', '--force'])).toEqual(none);
  const all = { ran: migrations.map(({ name }) => name) };
  expect(JSON.parse(await printed('run', '--json'))).toEqual(all);
  expect(await printed('run')).toBe('nothing to migrate\n');
  const needed = /^error: required option '--force' not specified\n[^]+ dump\s+them\s+before/;
  const unforced = { status: 2, stdout: '', stderr: expect.stringMatching(needed) };
  expect(await admin.run(['migration', 'revert'])).toEqual(unforced);
  expect(await printed('revert', '--force')).toBe(`reverted: ${latest}\n`);
  const statuses: unknown[] = JSON.parse(await printed('status', '--json'));
  expect(statuses.at(-1)).toEqual({ name: latest, status: 'pending' });
  expect(JSON.stringify(statuses).match(/"pending"/g)).toHaveLength(1);
  expect(await printed('run')).toBe(`migrated: ${latest}\n`);

  // A command waits longer than a request, and its text does not speak to clients of HTTP.
  const { app, close } = await openApp({}, { ...asOwner, RESPONSE_TIMEOUT_MS: 5000 });
  expect(app.get(Database).limits.connection).toBe(30_000);
  await close();
  expect(reasonOf(new Overloaded())).toBe('the machine is too busy: run the command again later');
  await empty.drop();
});
