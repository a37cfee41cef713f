import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { migrations } from '../../migrations/index.js';
import { openApp } from '../../src/server/open-app.js';
import { BARE_ENVIRONMENT, CommandLine, PROGRAM } from '../support/command-line.js';
import { givenTill } from '../support/given.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, testConfig, type TestApp } from '../support/test-app.js';
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
  tool(
    'asks for a password on a terminal without showing it; no log disturbs it, and it is recorded',
    async () => {
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
      expect(screen).toMatch(
        /^Password: \r?\nRepeat password: \r?\npassword of user "till" set[^\n]*\n$/,
      );
      const rows = await database.query(
        `SELECT * FROM audit_log WHERE action = 'user set-password'`,
      );
      expect(rows).toEqual(
        ['begun', 'success'].map((outcome) =>
          expect.objectContaining({ subject: 'till', outcome }),
        ),
      );
      const runs = rows.map(({ details }) => (details as { run: string }).run);
      expect([runs[0], new Set(runs).size]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), 1]);
      expect(rows[0]!['actor']).toMatch(/^administrator:./);
    },
  );

  test('begun and never ended: the audit log shows a command that was killed half-way', async () => {
    await database.query(`INSERT INTO users (username, password_hash) VALUES ('held', 'x')`);
    const find = () =>
      database.query(`SELECT outcome FROM audit_log WHERE subject = 'held' ORDER BY at`);
    let signal: NodeJS.Signals | null = null;
    while (signal !== 'SIGKILL') {
      const before = (await find()).length;
      await database.query(`BEGIN; SELECT FROM users WHERE username = 'held' FOR UPDATE`);
      const child = spawn(process.execPath, [PROGRAM, 'user', 'disable', 'held'], {
        env: { ...BARE_ENVIRONMENT, DATABASE_URL: database.url },
      });
      await eventually(async () => (await find()).length > before, 'the command to begin');
      child.kill('SIGKILL'); // unless the lock's time limit has ended it: then once more
      signal = (await once(child, 'exit'))[1] as NodeJS.Signals | null;
      await database.query('ROLLBACK');
    }
    expect((await find()).at(-1)).toEqual({ outcome: 'begun' });
    const list = 'audit list --user held --limit 1'.split(' ');
    const { stdout } = await new CommandLine(service.app).run(list);
    expect(stdout).toMatch(/ user disable +held +begun +run=[\da-f-]{36} argv=\["held"\]$/m);
  });
});

test('Where the database is away, a command says so in one line, without the password', async () => {
  const away = { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' };
  const ran = await CommandLine.opening(testConfig(away)).run(['user', 'list']);
  const stderr = expect.stringMatching(/^the database cannot be reached: .*ECONNREFUSED.*\n$/);
  expect(ran).toEqual({ status: 1, stdout: '', stderr });
  expect(ran.stderr).not.toContain('secret');
});

describe('migration', () => {
  let empty: TestDatabase;
  beforeAll(async () => (empty = await createTestDatabase('template0')));
  afterAll(() => empty.drop());

  test('on a database without tables it runs, and nothing else does; run, status and revert print what they did', async () => {
    const asOwner = testConfig({ DATABASE_URL: empty.ownerUrl });
    const others = openApp({}, asOwner, false);
    await expect(others).rejects.toThrow(
      /^the database is not migrated .*: run npm run migration:run$/,
    );
    const admin = CommandLine.opening(asOwner);
    const latest = migrations.at(-1)!.name;
    expect((await admin.run(['migration', 'status'])).stdout).toMatch(
      /^NAME +STATUS\nPrepareDatabase\d+ +pending\n/,
    );
    const revert = ['migration', 'revert', '--force'];
    expect(await admin.run(revert)).toMatchObject({ status: 1, stderr: 'no migration has run\n' });
    const { stdout } = await admin.run(['migration', 'run', '--json']);
    expect(JSON.parse(stdout)).toEqual({ ran: migrations.map(({ name }) => name) });
    expect((await admin.run(['migration', 'run'])).stdout).toBe('nothing to migrate\n');
    const unforced = await admin.run(['migration', 'revert']);
    expect(unforced).toMatchObject({ status: 2, stdout: '' });
    expect(unforced.stderr).toMatch(
      /^error: required option '--force' not specified\n[^]+ dump\s+them\s+before/,
    );
    expect((await admin.run(revert)).stdout).toBe(`reverted: ${latest}\n`);
    const statuses = JSON.parse((await admin.run(['migration', 'status', '--json'])).stdout);
    expect(statuses.filter(({ status }: any) => status === 'pending')).toEqual([
      { name: latest, status: 'pending' },
    ]);
    expect((await admin.run(['migration', 'run'])).stdout).toBe(`migrated: ${latest}\n`);
  });

  test('as the service’s role it fails with the reason', async () => {
    const ran = await new CommandLine(service.app).run(['migration', 'revert', '--force']);
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toMatch(/must be owner of |permission denied/);
  });
});
