import { adminCommands } from '../../src/admin/admin-command.decorator.js';
import { AuditService } from '../../src/audit/audit.service.js';
import { UsersService } from '../../src/users/users.service.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { givenRestaurant, givenTill, givenUser } from '../support/given.js';
import { failTimes, from, RIGHT } from '../support/logins.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  const limits = { LOGIN_USERNAME_MAX_FAILURES: 7, LOGIN_ADDRESS_MAX_FAILURES: 12 };
  const company = { COMPANY_LOGIN_ISSUER: 'http://127.0.0.1:9' };
  service = await createTestApp({ TRUST_PROXY: 'loopback', ...company, ...limits });
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
  const revoke = (request: object, { body: { access_token: token } }: Answer): Promise<Answer> =>
    service.client.post('/api/v1/auth/revoke', request, { token, headers: from(HOME) });

  const token_id = expect.any(String);
  const details = { failures: 5, seconds: 900 };
  const LOCKED = { action: 'login lock', outcome: 'locked', details };
  const REVOKED = { action: 'token revoke', outcome: 'success' };

  type Act = (username: string) => Promise<unknown>;
  test.each<[what: string, act: Act, recorded: (actor: string) => object[]]>([
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
      (actor) => [...Array(5).fill({}), { ...LOCKED, subject: `${actor} at ${HOME}` }],
    ],
    [
      'a login of a disabled account',
      async (username) => {
        const users = service.app.get(UsersService);
        await users.setDisabled(await users.get(username), true);
        await login(username);
      },
      () => [{ outcome: 'refused', details: { reason: 'account_disabled' } }],
    ],
    [
      'a revocation, and how many tokens it revoked',
      async (username) => {
        const [first, second] = [await login(username), await login(username)];
        await revoke({}, first);
        await revoke({ all: true }, second);
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
    const usual = { actor, username, client_address: HOME, ...failure };
    const events = recorded(actor).map((each) => ({ ...usual, ...each }));
    expect(await list('--user', username)).toEqual(events);
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

  test('audit list: --user finds what was done to it, --since and --limit the newest', async () => {
    const username = await givenUser(service);
    await login(username);
    const event = { actor: 'administrator:root', action: 'user unlock', subject: username };
    await service.app.get(AuditService).record({ ...event, outcome: 'success' });
    const unlock = { ...event, username: null, client_address: null };
    expect(await list('--user', username)).toMatchObject([{ username }, unlock]);
    expect(await list('--user', 'somebody else')).toEqual([]);
    const [row] = await service.database.query<{ at: Date }>('SELECT max(at) AS at FROM audit_log');
    const since = new Date(row!.at.getTime() + 1).toISOString();
    expect(await list('--since', since)).toEqual([]);
    await login(username);
    expect(await list('--since', since)).toMatchObject([
      { action: 'audit list', subject: null },
      { username, outcome: 'success' },
    ]);
    expect(await list('--limit', '1')).toHaveLength(1);
    expect((await list('--since', '2001-01-01')).length).toBeGreaterThan(2);
  });

  test('audit list shows a command once, a killed one too, and by restaurant what was done to it', async () => {
    for (const id of [71, 72]) await givenRestaurant(service, id);
    const events = (...options: string[]) => list('--limit', '2', ...options);
    await new CommandLine(service.app).run('restaurant hours 71 72 --hours none'.split(' '));
    expect(await events()).toMatchObject([
      { action: expect.not.stringContaining('restaurant hours') },
      { action: 'restaurant hours', subject: null, outcome: 'success' },
    ]);
    const hours = { before: { hours: 'Mon-Sun 00:00-24:00' }, after: { hours: 'Mon-Sun off' } };
    expect(await events('--restaurant', '72')).toMatchObject([
      { action: 'restaurant hours', subject: 'restaurant:72', details: hours },
    ]);
    await new CommandLine(service.app).run('restaurant rename 71 --name Seven'.split(' '));
    const name = { before: { name: 'Restaurant 71' }, after: { name: 'Seven' } };
    expect(await events('--restaurant', '71')).toMatchObject([
      { action: 'restaurant hours' },
      { action: 'restaurant rename', outcome: 'success', details: name },
    ]);
    const begun = { actor: 'administrator:root', action: 'restaurant close', subject: null };
    await service.app
      .get(AuditService)
      .record({ ...begun, outcome: 'begun', details: { run: 'killed' } });
    expect((await events()).at(-1)).toMatchObject({ ...begun, outcome: 'begun' });
  });

  test('audit list --json-lines prints all, an event on each line, and no line separator as it is', async () => {
    const subject = 'a\u2028b';
    const event = { actor: 'administrator:root', action: 'user unlock', subject } as const;
    for (let count = 0; count < 1001; count++)
      await service.app.get(AuditService).record({ ...event, outcome: 'success' });
    const { stdout, stderr } = await new CommandLine(service.app).run(['audit', 'list', '--json-lines', '--user', subject]); // prettier-ignore
    const lines = stdout.trimEnd().split('\n');
    expect([stderr, lines.length, stdout.includes('\u2028')]).toEqual(['', 1001, false]);
    expect(JSON.parse(lines[0]!)).toMatchObject({ ...event, client_address: null, details: {} });
  });

  test('audit list without --json is a table, newest first', async () => {
    const username = await givenUser(service);
    await failTimes(1, service.client, username, '192.0.2.6');
    await service.client.token(username, RIGHT);
    const args = ['audit', 'list', '--user', username];
    const { stdout } = await new CommandLine(service.app).run(args);
    const [head, newest, oldest] = stdout.split('\n');
    expect(head).toMatch(/^TIME \(UTC\) +WHO +ACTION +SUBJECT +FROM +OUTCOME +DETAILS$/);
    const login = `${username} +login +127\\.0\\.0\\.1 +success +token_id=`;
    expect(newest).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z +${login}`));
    expect(oldest).toMatch(/ login +192\.0\.2\.6 +failure$/);
  });

  test('holds no password or token, and a hash alone of what was typed as a name', async () => {
    const username = await givenUser(service);
    const right = await login(username);
    await login(username, 'Wrong-Password');
    await revoke({}, right);
    for (const field of ['Wrong-Field-A', 'Wrong-Field-B', 'Wrong-Field-A'])
      await login(field, 'Wrong-Password');
    const [first, second, third] = (await list()).slice(-3).map(({ actor }) => actor as string);
    expect(first).toMatch(/^name:[\w-]{22}$/);
    expect([first === third, first === second]).toEqual([true, false]);
    const text = `SELECT string_agg(audit_log::text, ' ') AS all FROM audit_log`;
    const [row] = await service.database.query(text);
    for (const secret of ['Wrong', RIGHT, right.body.access_token.split('.')[2], '$2b$'])
      expect(row!['all']).not.toContain(secret);
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
    ...['users', 'restaurants', 'restaurant_closures', 'restaurant_grants'],
    ...['tokens', 'known_addresses', 'company_accounts', 'login_counters', 'second_factors'],
  ];
  const CHANGES = [
    'user add another --password-stdin',
    'user grant changed 102',
    'user grant changed --all',
    'user ungrant changed 101',
    'user ungrant changed --all',
    'user unlock changed',
    'user set-kind changed person',
    'user link changed --account changed@company.example',
    'user reset-second-factor changed',
    'user unlink changed',
    'token revoke changed',
    'user set-password changed --password-stdin',
    'user disable changed',
    'user enable changed',
    'user rename another --name renamed',
    'user anonymize renamed',
    'restaurant add 103 --name Three',
    'restaurant rename 102 --name Other',
    'restaurant first-day 102 2025-01-01',
    'restaurant hours 102 --hours none --on mon',
    'restaurant close 102 --from 2025-11-01',
    'restaurant reopen 102 --from 2025-12-01',
  ];

  let admin: CommandLine;
  beforeAll(async () => {
    await givenTill(service, { username: 'changed' });
    await givenRestaurant(service, 102);
    await failTimes(1, service.client, 'changed', '192.0.2.20');
    await service.database.query(`
      INSERT INTO second_factors (user_id, secret)
        SELECT id, convert_to(repeat('x', 100), 'UTF8') FROM users WHERE username = 'changed';
      CREATE FUNCTION refuse_success() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no success today'; END $$;
      CREATE TRIGGER refuse_success BEFORE INSERT ON audit_log FOR EACH ROW
        WHEN (NEW.outcome = 'success') EXECUTE FUNCTION refuse_success()`);
    // What did not use the connection of the transaction would wait for another in vain.
    const { app } = await service.another({ DATABASE_POOL_MAX: 1, RESPONSE_TIMEOUT_MS: 20_000 });
    admin = new CommandLine(app);
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

  test('are saved together or not at all also where a command changes many', async () => {
    const argv = 'restaurant close --all --from 2025-12-24 --to 2025-12-26'.split(' ');
    const before = await read();
    expect(await admin.run(argv)).toMatchObject({ status: 1, stdout: '' });
    expect(await read()).toEqual(before);
    await allow('DISABLE');
    expect(await admin.run(argv)).toMatchObject({ status: 0, stderr: '' });
    await allow('ENABLE');
    const rows = await service.database.query(
      `SELECT subject, details->'argv' = '["--all", "--from", "2025-12-24", "--to", "2025-12-26"]' AS same,
         details->>'first_day' AS first_day
       FROM audit_log WHERE outcome = 'success' ORDER BY at DESC LIMIT 4`,
    );
    const event = (subject: string | null) => ({ subject, same: true, first_day: subject && '2025-12-24' }); // prettier-ignore
    expect(rows).toEqual([event(null), ...['103', '102', '101'].map((id) => event(`restaurant:${id}`))]); // prettier-ignore
  });

  test('are tried for every command of these groups that names what it changes', () => {
    const tried = CHANGES.map((line) => line.split(' ').slice(0, 2).join(' '));
    const groups = new Set(CHANGES.map((line) => line.split(' ')[0]));
    const named = adminCommands.filter(
      ({ subject, name, readOnly }) => subject && !readOnly && groups.has(name.split(' ')[0]),
    );
    expect(new Set(tried)).toEqual(new Set(named.map(({ name }) => name)));
  });
});

describe('An event', () => {
  const OF_1000 = `FROM audit_log WHERE actor = 'user:1000'`;
  beforeAll(() =>
    service.database.query(`
      INSERT INTO audit_log (at, actor, action, outcome)
      SELECT now() - make_interval(months => age), 'user:1000',
        CASE outcome WHEN 'locked' THEN 'login lock' ELSE 'login' END, outcome
      FROM unnest('{0, 2, 13, 25}'::integer[]) AS age,
        unnest('{success, failure, refused, locked}'::text[]) AS outcome`),
  );

  test.each([
    `UPDATE audit_log SET outcome = 'success'`,
    'TRUNCATE audit_log',
    `DELETE ${OF_1000} AND outcome = 'failure'`,
    `DELETE ${OF_1000} AND outcome = 'success' AND at > now() - interval '70 days'`,
  ])('is kept by the database itself, a failure for a month, another for a year: %s', (sql) =>
    expect(service.database.query(sql)).rejects.toThrow('rows of audit_log are kept'),
  );

  test('is deleted by the owner: a failed login of a month ago, and what is too old', async () => {
    const { ownerUrl: DATABASE_URL } = service.database;
    const { app } = await service.another({ DATABASE_URL, AUDIT_RETENTION_MONTHS: 24 });
    const pruneBy = (by: TestApp['app']) => new CommandLine(by).run(['audit', 'prune']);
    expect(await pruneBy(service.app)).toMatchObject({ status: 1 });
    expect(await pruneBy(app)).toEqual({ status: 0, stdout: '8 events deleted\n', stderr: '' });
    const left = `SELECT outcome, count(*)::int ${OF_1000} GROUP BY outcome ORDER BY outcome`;
    expect(await service.database.query(left)).toEqual([
      { outcome: 'failure', count: 1 },
      { outcome: 'locked', count: 3 },
      { outcome: 'refused', count: 1 },
      { outcome: 'success', count: 3 },
    ]);
  });
});
