import { adminCommands } from '../../src/admin/admin-command.decorator.js';
import { AuditService } from '../../src/audit/audit.service.js';
import { recordCommand } from '../../src/server/open-app.js';
import { UsersService } from '../../src/users/users.service.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { failTimes, from, givenUser, RIGHT } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await createTestApp({
    TRUST_PROXY: 'loopback',
    LOGIN_USERNAME_MAX_FAILURES: 7,
    LOGIN_ADDRESS_MAX_FAILURES: 12,
  });
});
afterAll(() => service.close());

describe('The audit log', () => {
  const HOME = '192.0.2.1';

  /** The events of `audit list --json`, oldest first, without the time. */
  async function list(...options: string[]): Promise<any[]> {
    const ran = await new CommandLine(service.app).run(['audit', 'list', '--json', ...options]);
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    return (JSON.parse(ran.stdout) as any[]).reverse().map(({ at, ...event }) => {
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      return event;
    });
  }
  const actorOf = async (username: string): Promise<string> =>
    `user:${(await service.app.get(UsersService).get(username)).id}`;
  const login = (username: string, password = RIGHT): Promise<Answer> =>
    service.client.login(username, password, from(HOME));

  const token_id = expect.any(String);
  const REVOKED = { action: 'token revoke', outcome: 'success' };

  test.each<
    [
      what: string,
      act: (username: string) => Promise<unknown>,
      recorded: (actor: string) => object[],
    ]
  >([
    [
      'logins: who, from where, which outcome',
      async (username) => [await login(username, 'wrong'), await login(username)],
      () => [{}, { outcome: 'success', details: { token_id } }],
    ],
    [
      'a lock, and none of a flood of logins that were rejected because of it',
      async (username) => {
        await failTimes(5, service.client, username, HOME);
        await Promise.all(Array.from({ length: 40 }, () => login(username)));
      },
      (actor) => [
        ...Array(5).fill({}),
        {
          ...{ action: 'login lock', outcome: 'locked', subject: `${actor} at ${HOME}` },
          details: { failures: 5, seconds: 900 },
        },
      ],
    ],
    [
      'a login of a disabled account',
      async (username) => {
        await service.app.get(UsersService).setDisabled(username, true);
        await login(username);
      },
      () => [{ outcome: 'refused', details: { reason: 'account disabled' } }],
    ],
    [
      'a revocation, and how many tokens it revoked',
      async (username) => {
        const [first, second] = [await login(username), await login(username)];
        for (const [body, { access_token: token }] of [
          [{}, first.body],
          [{ all: true }, second.body],
        ])
          await service.client.post('/api/v1/auth/revoke', body, { token, headers: from(HOME) });
      },
      () => [
        { outcome: 'success', details: { token_id } },
        { outcome: 'success', details: { token_id } },
        { ...REVOKED, details: { revoked: 1, token_id } },
        { ...REVOKED, details: { revoked: 1, all: true } },
      ],
    ],
  ])('records %s', async (_what, act, recorded) => {
    const username = await givenUser(service);
    await act(username);
    const actor = await actorOf(username);
    const failure = { action: 'login', outcome: 'failure', subject: null, details: {} };
    expect(await list('--user', username)).toEqual(
      recorded(actor).map((each) => {
        return { actor, username, client_address: HOME, ...failure, ...each };
      }),
    );
  });

  test('records the lock of a username and that of an address', async () => {
    const username = await givenUser(service);
    for (let time = 0; time < 7; time++)
      await failTimes(1, service.client, username, `198.51.100.${time}`);
    for (let time = 0; time < 12; time++)
      await failTimes(1, service.client, `nobody ${time}`, '192.0.2.3');
    const locks = (await list()).filter(({ action }) => action === 'login lock').slice(-2);
    expect(locks.map(({ subject, details }) => [subject, details.failures])).toEqual([
      [await actorOf(username), 7],
      ['192.0.2.3', 12],
    ]);
  });

  test('audit list --user finds what an administrator did to the user, by name', async () => {
    const username = await givenUser(service);
    const event = { actor: 'administrator:root', action: 'user unlock', subject: username };
    await service.app.get(AuditService).record({ ...event, outcome: 'success' });
    const listed = { ...event, username: null, client_address: null };
    expect(await list('--user', username)).toMatchObject([listed]);
    expect(await list('--user', 'somebody else')).toEqual([]);
  });

  test('audit list --since leaves out what was before, --limit all but the newest', async () => {
    const username = await givenUser(service);
    await service.client.token(username, RIGHT);
    const [row] = await service.database.query<{ at: Date }>('SELECT max(at) AS at FROM audit_log');
    const since = new Date(row!.at.getTime() + 1).toISOString();
    expect(await list('--since', since)).toEqual([]);
    await service.client.token(username, RIGHT);
    expect(await list('--since', since)).toMatchObject([{ username, outcome: 'success' }]);
    expect(await list('--limit', '1')).toHaveLength(1);
    expect((await list('--since', '2001-01-01')).length).toBeGreaterThan(2);
  });

  test('audit list without --json is a table, newest first', async () => {
    const username = await givenUser(service);
    await failTimes(1, service.client, username, '192.0.2.6');
    await service.client.token(username, RIGHT);
    const args = ['audit', 'list', '--user', username];
    const { stdout } = await new CommandLine(service.app).run(args);
    const [head, newest, oldest] = stdout.split('\n');
    expect(head).toMatch(/^TIME +WHO +ACTION +SUBJECT +FROM +OUTCOME +DETAILS$/);
    expect(newest).toMatch(
      new RegExp(
        `^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z +${username} +login +127.0.0.1 +success +token_id=`,
      ),
    );
    expect(oldest).toMatch(/ login +192\.0\.2\.6 +failure$/);
  });

  test.each([
    ['UPDATE', `UPDATE audit_log SET outcome = 'success'`],
    ['DELETE', 'DELETE FROM audit_log'],
    ['TRUNCATE', 'TRUNCATE audit_log'],
  ])('is append-only: the database refuses %s', async (_row, sql) => {
    await expect(service.database.query(sql)).rejects.toThrow('rows of audit_log are kept');
  });

  test('holds no password, no token, and nothing that was typed as a username', async () => {
    const username = await givenUser(service);
    const token = await service.client.token(username, RIGHT);
    await service.client.login('Typed-Into-The-Wrong-Field', 'wrong', from('192.0.2.8'));
    await service.client.login(username, 'Wrong-Password', from('192.0.2.8'));
    await service.client.post('/api/v1/auth/revoke', {}, { token });
    const rows = await service.database.query<{ text: string }>(
      'SELECT audit_log::text AS text FROM audit_log',
    );
    const all = rows.map(({ text }) => text).join('\n');
    expect(all).toMatch(/name:[\w-]{22}/);
    for (const secret of ['Wrong', RIGHT, token, token.split('.')[2]!, '$2b$'])
      expect(all).not.toContain(secret);
  });

  test('recognises an unknown username by its hash', async () => {
    for (const name of ['unknown a', 'unknown b', 'unknown a'])
      await service.client.login(name, 'x', from('192.0.2.9'));
    const [first, second, third] = (await list()).slice(-3).map(({ actor }) => actor as string);
    expect([first === third, first === second]).toEqual([true, false]);
  });

  test('comes before the response: without a record there is no token', async () => {
    const username = await givenUser(service);
    await service.database.query('ALTER TABLE audit_log RENAME TO audit_log_away');
    const response = await service.client.login(username, RIGHT);
    await service.database.query('ALTER TABLE audit_log_away RENAME TO audit_log');
    expect([response.status, response.text.includes('access_token')]).toEqual([500, false]);
    expect((await service.client.login(username, RIGHT)).status).toBe(200);
  });
});

describe('What an administrator changes and the row that says so', () => {
  const TABLES = [
    ...['users', 'restaurants', 'restaurant_grants'],
    ...['tokens', 'known_addresses', 'login_counters'],
  ];
  const CHANGES = [
    'user add another --password-stdin',
    'user grant changed 102',
    'user grant changed --all',
    'user ungrant changed 101',
    'user ungrant changed --all',
    'user unlock changed',
    'token revoke changed',
    'user set-password changed --password-stdin',
    'user disable changed',
    'user enable changed',
    'restaurant add 103 --name Three',
    'restaurant rename 102 --name Other',
    'restaurant close 102 --from 2025-11-01',
    'restaurant reopen 102 --from 2025-12-01',
  ];

  let admin: CommandLine;
  beforeAll(async () => {
    await givenTill(service, { username: 'changed' });
    await givenRestaurant(service, 102);
    await failTimes(1, service.client, 'changed', '192.0.2.20');
    await service.database.query(`
      CREATE FUNCTION refuse_success() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no success today'; END $$;
      CREATE TRIGGER refuse_success BEFORE INSERT ON audit_log FOR EACH ROW
        WHEN (NEW.outcome = 'success') EXECUTE FUNCTION refuse_success()`);
    // What did not use the connection of the transaction would wait for another in vain.
    const { app } = await service.another({ DATABASE_POOL_MAX: 1, RESPONSE_TIMEOUT_MS: 20_000 });
    const open = () => Promise.resolve({ app });
    admin = new CommandLine(undefined, { open, record: recordCommand });
  });
  afterAll(() => service.database.query('DROP FUNCTION refuse_success CASCADE'));

  const allow = (what: 'DISABLE' | 'ENABLE') =>
    service.database.query(`ALTER TABLE audit_log ${what} TRIGGER refuse_success`);
  const rowsOf = (table: string) => `(SELECT json_agg(${table}) FROM ${table}) AS ${table}`;
  const read = () => service.database.query(`SELECT ${TABLES.map(rowsOf).join(', ')}`);

  test.each(CHANGES)('are saved together or not at all: %s', async (line) => {
    const argv = line.split(' ');
    const before = await read();
    const ran = await admin.run(argv, 'another password\n');
    const stderr = 'the command is undone, as it could not be recorded: no success today\n';
    expect(ran).toEqual({ status: 1, stdout: '', stderr });
    expect(await read()).toEqual(before);
    await allow('DISABLE');
    expect(await admin.run(argv, 'another password\n')).toMatchObject({ status: 0, stderr: '' });
    await allow('ENABLE');
    expect(await read()).not.toEqual(before);
    const rows = await service.database.query(
      'SELECT action, outcome FROM audit_log ORDER BY at DESC LIMIT 4',
    );
    const action = argv.slice(0, 2).join(' ');
    expect(rows).toEqual(
      ['success', 'begun', 'failure', 'begun'].map((outcome) => ({ action, outcome })),
    );
  });

  test('are tried for every command that names what it changes', () => {
    const named = adminCommands.filter(({ subject }) => subject).map(({ name }) => name);
    const tried = CHANGES.map((line) => line.split(' ').slice(0, 2).join(' '));
    expect(new Set(tried)).toEqual(new Set(named));
  });
});

describe('audit prune', () => {
  let owner: CommandLine;
  beforeAll(async () => {
    const { app } = await service.another({
      DATABASE_URL: service.database.ownerUrl,
      AUDIT_RETENTION_MONTHS: 24,
    });
    owner = new CommandLine(app);
  });

  const count = async (rows: string): Promise<number> => {
    const [row] = await service.database.query(`SELECT count(*)::int AS count FROM ${rows}`);
    return row!['count'] as number;
  };

  const events = `audit_log WHERE actor = 'user:1000'`;
  beforeAll(async () => {
    await service.database.query(`
      INSERT INTO audit_log (at, actor, action, outcome)
      SELECT now() - make_interval(months => age), 'user:1000',
        CASE outcome WHEN 'locked' THEN 'login lock' ELSE 'login' END, outcome
      FROM unnest('{0, 2, 13, 25}'::integer[]) AS age,
        unnest('{success, failure, refused, locked}'::text[]) AS outcome`);
  });

  test('no one deletes what is younger than a year, or than a month if it failed', async () => {
    for (const young of [
      `at > now() - interval '2 months' - interval '1 day' AND outcome = 'success'`,
      `outcome = 'failure'`,
    ])
      await expect(service.database.query(`DELETE FROM ${events} AND ${young}`)).rejects.toThrow(
        'are kept',
      );
    expect(await count(events)).toBe(16);
  });

  test('deletes, as the owner, failed logins of a month ago and what is too old', async () => {
    const prune = (by: CommandLine) => by.run(['audit', 'prune']);
    expect(await prune(new CommandLine(service.app))).toMatchObject({ status: 1 });
    expect(await prune(owner)).toEqual({ status: 0, stdout: '8 events deleted\n', stderr: '' });
    expect(await count(`${events} AND outcome IN ('failure', 'refused')`)).toBe(2);
    expect(await count(`${events} AND outcome IN ('success', 'locked')`)).toBe(6);
  });
});
