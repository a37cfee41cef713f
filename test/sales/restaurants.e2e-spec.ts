import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../../src/calendar/business-calendar.js';
import { EVENING_FORM } from '../../src/calendar/hour-set.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('A restaurant', () => {
  let service: TestApp;
  beforeAll(
    async () => (service = await createTestApp({ TIME_ZONE: 'Asia/Singapore', CURRENCY: 'EUR' })),
  );
  afterAll(() => service.close());

  /** Each test has a restaurant of its own, and its till. */
  let id = 100;
  let token: string;
  beforeEach(async () => ({ token } = await givenTill(service, { restaurants: [++id] })));

  /** What a command prints that must succeed. */
  async function done(verb: string, ...args: (string | number)[]): Promise<string> {
    const ran = await new CommandLine(service.app).run(['restaurant', verb, ...args.map(String)]);
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    return ran.stdout;
  }
  const listed = async () => new RegExp(`^${id} .*$`, 'm').exec(await done('list'))![0];
  const upload = (date: string): Promise<Answer> =>
    service.client.upload(token, [record({ restaurant_id: id, date })]);
  const statuses = async (...dates: string[]): Promise<number[]> => {
    const answers = [];
    for (const date of dates) answers.push((await upload(date)).status);
    return answers;
  };

  const TODAY = '2025-10-15'; // a Wednesday
  const clockNow = () => jest.spyOn(service.app.get(Clock), 'now');
  beforeEach(() => clockNow().mockReturnValue(Date.parse(`${TODAY}T00:00:00+08:00`)));
  afterEach(() => jest.restoreAllMocks());

  test('is added and renamed, and lists and uploads have its new name', async () => {
    const name = 'Café\u00a0海南 ☕\ufe0f می\u200cخواهم';
    expect(await done('add', 7, '--name', name)).toBe('1 restaurant added\n');
    expect(await done('list')).toMatch(new RegExp(`^ID +NAME +TODAY\\n7 +${name} +00:00-24:00\\n`));
    const [added] = JSON.parse(await done('list', '--json'));
    expect(added).toEqual({
      ...{ restaurant_id: 7, name, first_day: TODAY, closures: [], today: '00:00-24:00' },
      weekly_hours: Array(7).fill('00:00-24:00'),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(await done('rename', id, '--name', 'Harbour Grill')).toBe(
      `1 of 1 restaurant changed\nrestaurant ${id} (Restaurant ${id}): name Restaurant ${id} becomes Harbour Grill\n`,
    );
    expect((await upload('2025-10-15')).body.message).toBe(
      `1 hourly record saved for restaurant ${id} (Harbour Grill) on 2025-10-15`,
    );
    const { body } = await service.client.get('/api/v1/restaurants', { token });
    expect(body.restaurants).toMatchObject([{ restaurant_id: id, name: 'Harbour Grill' }]);
  });

  test('has a first day and weekly hours, which no upload has to keep', async () => {
    const own = id + 1000;
    const add = ['--name', 'X', '--first-day', '2025-10-10', '--hours', '18:00-02:00'];
    await done('add', own, ...add);
    expect(await done('first-day', own, '2025-10-13')).toBe(
      `1 of 1 restaurant changed\nrestaurant ${own} (X): first_day 2025-10-10 becomes 2025-10-13\n`,
    );
    await done('hours', own, '--hours', 'none', '--on', 'mon,Tue');
    expect(
      await done('hours', own, '--hours', '11:00-14:00, 18:00-22:00', '--on', 'sat'),
    ).toContain(
      ' becomes Mon 00:00-02:00; Tue off; Wed 18:00-24:00; ' +
        'Thu-Fri 18:00-24:00,00:00-02:00; Sat 00:00-02:00,11:00-14:00,18:00-22:00; Sun 18:00-24:00\n',
    );
    await done('close', own, '--from', '2025-10-10', '--to', '2025-10-14');
    await done('close', own, '--from', '2025-12-24', '--to', '2025-12-26', '--reason', 'Christmas');
    const { token: till, username } = await givenTill(service, { restaurants: [own] });
    const { body } = await service.client.get('/api/v1/restaurants', { token: till });
    const evening = '18:00-24:00,00:00-02:00';
    expect(body).toMatchObject({
      ...{
        username,
        all_restaurants: false,
        time_zone: 'Asia/Singapore',
        currency: 'EUR',
        today: TODAY,
      },
      restaurants: [
        {
          ...{ restaurant_id: own, name: 'X', first_day: '2025-10-13' },
          weekly_hours: [
            ...['00:00-02:00', '', '18:00-24:00', evening, evening],
            ...['00:00-02:00,11:00-14:00,18:00-22:00', '18:00-24:00'],
          ],
          closures: [{ first_day: '2025-12-24', last_day: '2025-12-26', reason: 'Christmas' }],
        },
      ],
    });
    for (const date of ['2020-02-29', '2025-10-15', '9999-12-31']) {
      const sent = [record({ restaurant_id: own, date, hour: 12 })];
      expect((await service.client.upload(till, sent)).status).toBe(200);
    }
    await done('hours', own, '--hours', '00:00-24:00');
    const shown = JSON.parse(await done('show', own, '--json'));
    expect(shown).toMatchObject({
      ...{ restaurant_id: own, name: 'X', today: '00:00-24:00', first_day: '2025-10-13' },
      ...{ last_sent: '2025-10-15', uploaders: [{ username, status: 'enabled' }] },
      closures: [{ first_day: '2025-10-10' }, { first_day: '2025-12-24' }],
    });
    expect(await done('show', own)).toMatch(
      new RegExp(
        `^RESTAURANT  ${own}\nNAME        X\nTODAY       00:00-24:00\nFIRST DAY   2025-10-13\n` +
          'HOURS       Mon-Sun 00:00-24:00\nCLOSED      2025-10-10 to 2025-10-14\n' +
          '            2025-12-24 to 2025-12-26: Christmas\nLAST SENT   2025-10-15\n' +
          `UPLOADERS   ${username}\nADDED       [\\dTZ:-]+\n$`,
      ),
    );
  });

  test('has its hours set with others, all or none, with an event each', async () => {
    const [first, second] = [id + 2000, id + 2001];
    for (const each of [first, second]) await done('add', each, '--name', 'X');
    const lines = [first, second].map(
      (each) => `restaurant ${each} (X): hours Mon-Sun 00:00-24:00 becomes Mon-Sun 11:00-22:00\n`,
    );
    const [last] = await service.database.query('SELECT max(id) AS id FROM audit_log');
    const begun = last!['id'];
    const admin = new CommandLine(service.app);
    const hours = (...ids: number[]) =>
      admin.run(['restaurant', 'hours', ...ids.map(String), '--hours', '11:00-22:00']);
    expect(await hours(first, 999_999)).toEqual({
      ...{ status: 1, stdout: '', stderr: 'there is no restaurant 999999\n' },
    });
    expect(await done('show', first)).toContain('Mon-Sun 00:00-24:00');
    expect(await hours(first, second, first)).toEqual({
      ...{ status: 0, stderr: '' },
      stdout: `2 of 2 restaurants changed\n${lines.join('')}`,
    });
    await hours(second);
    const recorded = await service.database.query(
      `SELECT outcome, subject FROM audit_log
       WHERE action = 'restaurant hours' AND id > $1 ORDER BY id`,
      [begun],
    );
    const told = recorded.map(({ outcome, subject }) => [outcome, subject]);
    expect(told).toEqual([
      ...[['begun', null], ['refused', null]], // prettier-ignore
      ...[['begun', null], ['success', `restaurant:${first}`], ['success', `restaurant:${second}`], ['success', null]], // prettier-ignore
      ...[['begun', `restaurant:${second}`], ['success', `restaurant:${second}`]], // prettier-ignore
    ]);
  });

  test('closes from a day on and reopens, days between stay closed, and uploads are kept', async () => {
    const name = `restaurant ${id} (Restaurant ${id})`;
    expect(await statuses('2025-10-14')).toEqual([200]);
    expect(await done('close', id, '--from', '2025-10-10')).toBe(
      `${name} is closed from 2025-10-10\n`,
    );
    expect(await done('close', id, '--from', '2025-10-20')).toBe(
      `${name} is closed already from 2025-10-10\n`,
    );
    expect(await listed()).toMatch(/ +closed from 2025-10-10$/);
    expect(await statuses('2025-10-09', '2025-10-10', '2099-01-01')).toEqual([200, 400, 400]);
    const answer = await upload('2025-10-15');
    expectError(answer, 400);
    expect([answer.headers.get('X-Error-Code'), answer.body.error]).toEqual([
      'restaurant_closed',
      `${name} is closed on 2025-10-15: only zeros can be uploaded for it`,
    ]);
    expect(await done('reopen', id, '--from', '2025-10-12')).toBe(
      `${name} is open from 2025-10-12\n`,
    );
    expect(await listed()).toMatch(/ +00:00-24:00$/);
    expect(await statuses('2025-10-10', '2025-10-11', '2025-10-12')).toEqual([400, 400, 200]);
    await done('close', id, '--from', '2025-01-01');
    const sql = 'SELECT date::text AS day FROM hourly_sales WHERE restaurant_id = $1 ORDER BY date';
    const stored = await service.database.query(sql, [id]);
    expect(stored.map(({ day }) => day)).toEqual(['2025-10-09', '2025-10-12', '2025-10-14']);
  });

  test('closes for a range with a reason, which a rejected upload and a dry run name', async () => {
    const [from, to] = ['2025-10-14', '2025-10-20'];
    await done('close', id, '--from', from, '--to', to);
    expect(await done('close', id, '--from', from, '--to', to, '--reason', 'renovation')).toBe(
      `restaurant ${id} (Restaurant ${id}) is closed ${from} to ${to}: renovation\n`,
    );
    expect(await statuses('2025-10-13', from, to, '2025-10-21')).toEqual([200, 400, 400, 200]);
    const text = `restaurant ${id} (Restaurant ${id}) is closed on ${to} (renovation): only zeros can be uploaded for it`;
    const path = '/api/v1/sales/upload-daily?dry_run=true';
    const records = [record({ restaurant_id: id, date: to })];
    const tried = await service.client.post(path, { records }, { token });
    expect([(await upload(to)).body.error, tried.body.error]).toEqual([text, text]);
    expect(await listed()).toMatch(/ closed 2025-10-14 to 2025-10-20: renovation$/);
  });

  /** The closures that are stored, written as commands take them. */
  const closures = async (): Promise<string[]> =>
    (
      await service.database.query(
        `SELECT concat_ws(' ', first_day::text, coalesce(last_day::text, '...'), reason) AS line
         FROM restaurant_closures WHERE restaurant_id = $1 ORDER BY first_day`,
        [id],
      )
    ).map(({ line }) => String(line));

  test.each<[steps: string[], left: string[]]>([
    [
      ['close 10-10 10-20', 'close 10-15 10-25 B'],
      ['10-10 10-14', '10-15 10-25 B'],
    ],
    [['close 10-10 10-20 A', 'close 10-12 10-14 B'], ['10-10 10-20 A']],
    [['close 10-12 10-14 A', 'close 10-10 ... B'], ['10-10 ... B']],
    [
      ['close 10-10 ... A', 'close 10-05 10-12 B'],
      ['10-05 10-12 B', '10-13 ... A'],
    ],
    [['close 10-10 10-12 A', 'close 10-10 10-12'], ['10-10 10-12 A']],
    [
      ['close 10-10 10-20 A', 'reopen 10-12 10-14'],
      ['10-10 10-11 A', '10-15 10-20 A'],
    ],
    [
      ['close 10-10 10-12 A', 'close 10-13 10-20 B', 'close 12-24 12-26', 'reopen 10-11'],
      ['10-10 10-10 A', '12-24 12-26'],
    ],
    [['close 10-10 10-12', 'close 10-16 10-20', 'reopen 10-01 10-31'], []],
  ])('%j leaves %j', async (steps, left) => {
    const dated = (day: string | undefined): string[] =>
      day === undefined || day === '...' ? [] : [`2025-${day}`];
    for (const step of steps) {
      const [verb, from, to, reason] = step.split(' ');
      const options = [
        ['--from', ...dated(from)],
        ['--to', ...dated(to)],
        ['--reason', reason!],
      ];
      const given = options.filter(([, value]) => value !== undefined);
      await done(verb!, id, ...given.flat());
    }
    expect((await closures()).map((line) => line.replaceAll('2025-', ''))).toEqual(left);
  });

  test('reopens today, in the time zone of the service, where no day is given', async () => {
    await done('close', id, '--from', '2025-10-10');
    clockNow().mockReturnValue(Date.parse('2025-10-15T20:00:00Z'));
    expect(await done('reopen', id)).toMatch(/ is open from 2025-10-16\n$/);
    jest.restoreAllMocks();
    expect(await statuses('2025-10-15', '2025-10-16')).toEqual([400, 200]);
  });

  test('closes with all others for a holiday, and stays as it is if it is closed for good', async () => {
    for (const other of [3001, 3002]) await givenRestaurant(service, other);
    await done('close', id, '--from', '2025-11-01', '--reason', 'sold');
    const holiday = [
      '--all',
      '--from',
      '2025-12-25',
      '--to',
      '2025-12-25',
      '--reason',
      'Christmas',
    ];
    expect(await done('close', ...holiday)).toMatch(
      new RegExp(
        `^restaurant ${id} .*is closed already from 2025-11-01: sold\n[^]*restaurant 3001 .*is closed 2025-12-25 to 2025-12-25: Christmas$`,
        'm',
      ),
    );
    expect(await closures()).toEqual(['2025-11-01 ... sold']);
    const { count } = (
      await service.database.query(
        `SELECT count(*)::integer FROM restaurant_closures
         WHERE '2025-12-25' BETWEEN first_day AND coalesce(last_day, 'infinity')`,
      )
    )[0] as { count: number };
    const reopened = JSON.parse(await done('reopen', '--all', '--from', '2025-12-25', '--to', '2025-12-25', '--json')); // prettier-ignore
    expect(count).toBeGreaterThan(2);
    expect(reopened.filter((each: any) => each.changed)).toHaveLength(count);
    expect(await closures()).toEqual(['2025-11-01 2025-12-24 sold', '2025-12-26 ... sold']);
    const again = ['--all', '--from', '2025-12-25', '--to', '2025-12-25'];
    expect(await done('reopen', ...again)).not.toMatch(/ is open 2025/);
  });

  const BAD_ID = 'a restaurant id is a whole number from 1 to 2147483647';
  const BAD_NAME =
    'a restaurant name has 1 to 200 characters, none of them a control or invisible character, ' +
    'and no space at its ends';

  test.each<readonly [string, string]>([
    ['add 101 --name x', 'there is a restaurant 101 already'],
    ['add 0 --name x', BAD_ID],
    ['add 8 --name ', BAD_NAME],
    ['add 8 --name Harbour\u200b', BAD_NAME],
    ['add 8 --name Harbour\u2028Grill', BAD_NAME],
    ['add 8 --name Harbour\u3164', BAD_NAME],
    ['add 8 --name \u00a0Harbour', BAD_NAME],
    ['add 8 --name Harbour\u3000', BAD_NAME],
    ['rename 101 --name \u202elliG', BAD_NAME],
    ...['a\u2028b', 'a\u2029', 'a\u3164', '\u115f', '\u2800', 'a\u00a0', '\u3000a', 'a\u200d'].map(
      (name) => [`rename 101 --name ${name}`, BAD_NAME] as const,
    ),
    ['rename 999 --name x', 'there is no restaurant 999'],
    ['first-day 999 2025-10-15', 'there is no restaurant 999'],
    ['hours 999 --hours none', 'there is no restaurant 999'],
    ['show 999', 'there is no restaurant 999'],
    ['close 999 --from 2025-10-15', 'there is no restaurant 999'],
    [
      'close 101 --from 2025-10-15 --to 2025-10-14',
      'to (2025-10-14) must not be before from (2025-10-15)',
    ],
    ['close 101 --from 2025-10-15 --reason ', BAD_NAME.replace('restaurant name', 'reason')],
    ['reopen 2147483648', 'there is no restaurant 2147483648'],
    ['import none.csv', 'none.csv cannot be read: ENOENT'],
  ])('is not changed by what ends with 1: restaurant %s', async (line, reason) => {
    const ran = await new CommandLine(service.app).run(['restaurant', ...line.split(' ')]);
    expect(ran).toEqual({ status: 1, stdout: '', stderr: `${reason}\n` });
  });

  test.each([
    ['close --from 2025-10-15', 'error: name restaurants, or give --ids-file or --all'],
    ['close 101 --all --from 2025-10-15', 'error: name restaurants, or give --ids-file or --all'],
    ['add 9 --name x --hours 11:30-22:00', `They are ${EVENING_FORM}.`],
    ['add 9 --name x --first-day 2025-02-30', 'It must be a date that exists, as YYYY-MM-DD.'],
    ['first-day 101', 'error: give an id and a date, or --all and --not-before'],
    ['first-day 101 2025-01-01 --all', 'error: give an id and a date, or --all and --not-before'],
    ['close 101 --ids-file x --from 2025-10-15', 'error: name restaurants, or give'],
    ['hours 101 --hours none --on friday', 'They are some of mon,tue,wed,thu,fri,sat,sun.'],
  ])('is not changed by wrong usage, which ends with 2: restaurant %s', async (line, reason) => {
    const ran = await new CommandLine(service.app).run(['restaurant', ...line.split(' ')]);
    expect([ran.status, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toContain(reason);
  });

  describe('of a CSV file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'restaurants-'));
    const file = join(folder, 'restaurants.csv');
    afterAll(() => rmSync(folder, { recursive: true }));
    const imported = (content: string, ...options: string[]) => {
      writeFileSync(file, content);
      return new CommandLine(service.app).run(['restaurant', 'import', file, ...options]);
    };

    test('three hundred are imported in one command, with an event each; --dry-run saves nothing', async () => {
      const rows = Array.from({ length: 300 }, (_, at) => `${5001 + at};"Bar; ${at}";;11:00-22:00`);
      rows[1] = '5002;Night Bar;2026-01-01;18:00-24:00,00:00-02:00';
      rows[2] = '5003;Always;;';
      const content = `\uFEFFrestaurant_id;name;first_day;hours\r\n${rows.join('\r\n')}\r\n`;
      expect(await imported(content, '--dry-run')).toEqual({
        ...{ status: 0, stderr: '' },
        stdout: '300 restaurants added\nnothing was saved, as this was a dry run\n',
      });
      const list = async () => JSON.parse(await done('list', '--json'));
      expect((await list()).some((each: any) => each.restaurant_id > 5000)).toBe(false);
      const begun = Date.now();
      expect(await imported(content)).toEqual({
        ...{ status: 0, stderr: '', stdout: '300 restaurants added\n' },
      });
      expect(Date.now() - begun).toBeLessThan(20_000); // 0.5 s on a quiet machine
      const added = (await list()).filter((each: any) => each.restaurant_id > 5000);
      expect(added).toHaveLength(300);
      const night = '18:00-24:00,00:00-02:00';
      expect(added).toMatchObject([
        { restaurant_id: 5001, name: 'Bar; 0', first_day: TODAY, weekly_hours: Array(7).fill('11:00-22:00') },
        { restaurant_id: 5002, first_day: '2026-01-01', weekly_hours: Array(7).fill(night), today: 'first day 2026-01-01' },
        { restaurant_id: 5003, weekly_hours: Array(7).fill('00:00-24:00') },
        ...Array(297).fill({ closures: [] }),
      ]); // prettier-ignore
      const events = await service.database.query(
        `SELECT subject, details->>'name' AS name FROM audit_log
         WHERE action = 'restaurant import' AND subject IS NOT NULL ORDER BY at`,
      );
      expect(events).toHaveLength(300);
      expect(events[1]).toEqual({ subject: 'restaurant:5002', name: 'Night Bar' });
    });

    const eventsOf = (action: string) =>
      service.database.query(
        `SELECT subject, outcome, details - 'run' - 'argv' AS details FROM audit_log
         WHERE action = $1 AND outcome <> 'begun' AND at > now() - interval '1 minute' ORDER BY id`,
        [action],
      );

    test('an update changes those that are there; a dry run says what, and the log what was before', async () => {
      for (const each of [5501, 5502, 5503]) await done('add', each, '--name', `Bar ${each}`);
      await done('hours', 5502, '--hours', 'none', '--on', 'mon');
      const file =
        'restaurant_id,name,first_day,hours\n5501,Bar 5503,2026-01-01,18:00-02:00\n5502,,,\n5503,Bar 5503,,\n';
      const lines =
        '1 of 3 restaurants changed\n' +
        'restaurant 5501 (Bar 5501): name Bar 5501 becomes Bar 5503; ' +
        `first_day ${TODAY} becomes 2026-01-01; ` +
        'hours Mon-Sun 00:00-24:00 becomes Mon-Sun 18:00-24:00,00:00-02:00\n' +
        'restaurants 5501, 5503 have one name: Bar 5503\n';
      const before = await done('list', '--json');
      expect(await imported(file, '--update', '--dry-run')).toEqual({
        ...{ status: 0, stderr: '', stdout: `${lines}nothing was saved, as this was a dry run\n` },
      });
      expect(await done('list', '--json')).toBe(before);
      expect(await imported(file, '--update')).toEqual({
        ...{ status: 0, stderr: '', stdout: lines },
      });
      expect(JSON.parse(await done('show', 5501, '--json'))).toMatchObject({
        ...{ name: 'Bar 5503', first_day: '2026-01-01' },
        weekly_hours: Array(7).fill('18:00-24:00,00:00-02:00'),
      });
      expect(await done('show', 5502)).toContain('Mon off; Tue-Sun 00:00-24:00');
      expect((await eventsOf('restaurant import')).slice(-2)).toEqual([
        {
          ...{ subject: 'restaurant:5501', outcome: 'success' },
          details: {
            before: { name: 'Bar 5501', first_day: TODAY, hours: 'Mon-Sun 00:00-24:00' },
            after: {
              ...{ name: 'Bar 5503', first_day: '2026-01-01' },
              hours: 'Mon-Sun 18:00-24:00,00:00-02:00',
            },
          },
        },
        { subject: null, outcome: 'success', details: {} },
      ]);
      expect(await imported('restaurant_id,hours\n5501,none\n5999,none\n', '--update')).toEqual({
        ...{ status: 1, stdout: '' },
        stderr:
          'nothing was changed, because of restaurants.csv:\nline 3: there is no restaurant 5999\n',
      });
      expect(await done('show', 5501)).toContain('18:00-24:00,00:00-02:00');
    });

    test('a new name is recorded with the one before, and said to be that of another', async () => {
      for (const each of [5601, 5602]) await done('add', each, '--name', `Pub ${each}`);
      expect(await done('rename', 5601, '--name', 'Pub 5602')).toBe(
        '1 of 1 restaurant changed\nrestaurant 5601 (Pub 5601): name Pub 5601 becomes Pub 5602\n' +
          'restaurants 5601, 5602 have one name: Pub 5602\n',
      );
      expect((await eventsOf('restaurant rename')).at(-1)).toEqual({
        ...{ subject: 'restaurant:5601', outcome: 'success' },
        details: { before: { name: 'Pub 5601' }, after: { name: 'Pub 5602' } },
      });
    });

    test('restaurants whose ids are in a file are closed; a faulty line or id closes none', async () => {
      for (const each of [5701, 5702, 5703]) await done('add', each, '--name', `Inn ${each}`);
      const ids = join(folder, 'ids.txt');
      const close = ['--ids-file', ids, '--from', '2026-02-01', '--reason', 'sold'];
      const run = () => new CommandLine(service.app).run(['restaurant', 'close', ...close]);
      writeFileSync(ids, 'restaurant_id\n5701\n\n57O2\nx\n');
      expect(await run()).toEqual({
        ...{ status: 1, stdout: '' },
        stderr:
          'nothing was changed, because of ids.txt:\n' +
          'line 4: restaurant_id "57O2": It must be a whole number.\n' +
          'line 5: restaurant_id "x": It must be a whole number.\n',
      });
      writeFileSync(ids, 'restaurant_id\n5701\n5998\n5999\n');
      expect((await run()).stderr).toBe('there is no restaurant 5998, 5999\n');
      expect(await done('show', 5701)).toContain('CLOSED      none');
      writeFileSync(ids, 'restaurant_id\r\n5701\r\n5703\r\n');
      expect((await run()).stdout).toBe(
        'restaurant 5701 (Inn 5701) is closed from 2026-02-01: sold\n' +
          'restaurant 5703 (Inn 5703) is closed from 2026-02-01: sold\n',
      );
      expect(await done('show', 5702)).toContain('CLOSED      none');
      expect(await done('show', 5703)).toContain('CLOSED      from 2026-02-01: sold');
    });

    test('first days before a date become that date for all, others stay', async () => {
      await done('add', 5801, '--name', 'Old', '--first-day', '2019-01-01');
      await done('add', 5802, '--name', 'New', '--first-day', '2030-01-01');
      const changed = JSON.parse(await done('first-day', '--all', '--not-before', '2020-01-01', '--json')); // prettier-ignore
      expect(changed.changes).toContainEqual({
        ...{ restaurant_id: 5801, name: 'Old' },
        before: { first_day: '2019-01-01' },
        after: { first_day: '2020-01-01' },
      });
      expect(changed.changes.some((each: any) => each.restaurant_id === 5802)).toBe(false);
      expect(await done('first-day', '--all', '--not-before', '2020-01-01')).toMatch(
        /^0 of \d+ restaurants changed\n$/,
      );
      expect(await done('show', 5802)).toContain('2030-01-01');
    });

    test('every faulty line is told, and nothing is imported', async () => {
      const ran = await imported(
        'restaurant_id,name,first_day,hours\n6001,Good,,\n101,Taken,,\n6001,Twice,,\n' +
          'x1,No number,,\n6003,No day,31.12.2025,\n6004,No hours,,11-22\n6002,,,\n0,Zero,,\n',
      );
      expect(ran).toMatchObject({ status: 1, stdout: '' });
      expect(ran.stderr.split('\n')).toEqual([
        'nothing was changed, because of restaurants.csv:',
        'line 3: there is a restaurant 101 already',
        'line 4: there is a restaurant 6001 already',
        'line 5: restaurant_id "x1": It must be a whole number.',
        'line 6: first_day "31.12.2025": It must be a date that exists, as YYYY-MM-DD.',
        `line 7: hours "11-22": They are ${EVENING_FORM}.`,
        `line 8: ${BAD_NAME}`,
        `line 9: ${BAD_ID}`,
        '',
      ]);
      expect(await done('list')).not.toMatch(/^6001/m);
    });
  });
});
