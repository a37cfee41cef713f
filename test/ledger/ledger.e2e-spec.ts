import { Client } from 'pg';
import { register } from 'prom-client';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const HOUR_VERSIONS =
  'SELECT hour, ctid::text, xmin::text FROM hourly_sales WHERE restaurant_id = $1 ORDER BY hour';

describe('The ledger', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp()));
  afterAll(() => service.close());

  /** Each test has a restaurant of its own, and its till. */
  let id = 100;
  let token: string;
  beforeEach(async () => ({ token } = await givenTill(service, { restaurants: [++id] })));

  const upload = (...records: Record<string, unknown>[]) =>
    service.client.upload(token, records.length > 0 ? records : day({ restaurant_id: id }));
  const query = (sql: string, ...values: unknown[]) => service.database.query<any>(sql, values);
  /** How many rows each table has of the test's restaurant. */
  const rows = async (restaurantId = id): Promise<number[]> => {
    const tables = ['sales_days', 'uploads', 'hourly_sales'];
    const counts = tables.map(
      (table) => `(SELECT count(*)::int FROM ${table} WHERE restaurant_id = $1) AS ${table}`,
    );
    const [row] = await query(`SELECT ${counts.join(', ')}`, restaurantId);
    return tables.map((table) => row[table]);
  };

  test('an identical re-send answers 200 with the same processed and writes no row version of an hour', async () => {
    await upload();
    const before = await query(HOUR_VERSIONS, id);
    const answer = await upload();
    expect([answer.status, answer.body.processed]).toEqual([200, 24]);
    expect(before).toHaveLength(24);
    expect(await query(HOUR_VERSIONS, id)).toEqual(before);
    const [ledger] = await query(
      'SELECT * FROM uploads WHERE restaurant_id = $1 AND number = 2',
      id,
    );
    expect(ledger).toMatchObject({ processed: 24, changed_hours: 0, records: null });
  });

  test('a correction writes a row version of the hour that changed and of no other', async () => {
    await upload();
    const before = await query(HOUR_VERSIONS, id);
    await upload(
      ...day({ restaurant_id: id }).slice(0, 12),
      record({ restaurant_id: id, hour: 13, gto: 1 }),
    );
    const after = await query(HOUR_VERSIONS, id);
    const changed = after.filter(({ ctid }, at) => ctid !== before[at].ctid);
    expect(changed.map(({ hour }) => hour)).toEqual([13]);
  });

  test('an hour counts as overwritten where other figures were stored, not where it is new', async () => {
    const counter = register.getSingleMetric('upload_hours_overwritten_total')!;
    const overwritten = async () => (await counter.get()).values[0]!.value;
    const before = await overwritten();
    await upload(record({ restaurant_id: id, hour: 1 }), record({ restaurant_id: id, hour: 2 }));
    expect(await overwritten()).toBe(before);
    await upload(
      ...[1, 2, 3].map((hour) => record({ restaurant_id: id, hour, pax: 96 - (hour & 1) })),
    );
    expect(await overwritten()).toBe(before + 1);
  });

  test('sales_history shows who replaced what, when, with the values before and after', async () => {
    await upload(record({ restaurant_id: id, gto: 1.5 }));
    const colleague = await givenTill(service, { restaurants: [id] });
    await service.client.upload(colleague.token, [record({ restaurant_id: id, gto: 2.25 })]);
    const history = await query(
      'SELECT * FROM sales_history WHERE restaurant_id = $1 AND date = $2 ORDER BY upload_number',
      id,
      '2025-10-15',
    );
    const first = { hour: 12, upload_number: 1, replaced_upload_number: null };
    const second = { hour: 12, upload_number: 2, replaced_upload_number: 1, orders_before: 42 };
    const who = { username: colleague.username, uploaded_at: expect.any(Date) };
    expect(history).toMatchObject([
      { ...first, gto_before: null, gto_after: '1.5' },
      { ...second, ...who, gto_before: '1.5', gto_after: '2.25' },
    ]);
  });

  test.each([
    ['UPDATE', 'UPDATE uploads SET processed = 1'],
    ['UPDATE of no row', 'UPDATE uploads SET processed = 1 WHERE false'],
    ['DELETE', 'DELETE FROM uploads'],
    ['TRUNCATE', 'TRUNCATE uploads'],
    ['TRUNCATE of what it hangs on', 'TRUNCATE sales_days CASCADE'],
    [
      'an upsert',
      `INSERT INTO uploads SELECT * FROM uploads ON CONFLICT (restaurant_id, date, number) DO UPDATE SET processed = 1`,
    ],
  ])('the database rejects changes: %s', async (_kind, sql) => {
    await upload();
    await expect(query(sql)).rejects.toMatchObject({
      code: '23001',
      message: expect.stringContaining('are kept'),
    });
    expect(await rows()).toEqual([1, 1, 24]);
  });

  test('a day cannot be deleted away from under its uploads', async () => {
    await upload();
    await expect(query('DELETE FROM sales_days')).rejects.toThrow(
      'rows of sales_days are kept: DELETE is refused',
    );
  });

  describe.each(['users', 'restaurants'])(
    '%s are kept, as uploads name them without a foreign key',
    (table) => {
      test.each([
        ['DELETE', `DELETE FROM ${table} WHERE id = 0`],
        ['TRUNCATE', `TRUNCATE ${table} CASCADE`],
        ['UPDATE', `UPDATE ${table} SET id = DEFAULT`],
      ])('%s', async (operation, sql) => {
        await expect(query(sql)).rejects.toThrow(
          `rows of ${table} are kept: ${operation} is refused`,
        );
      });

      test('and no upload writes a lock into their rows', async () => {
        const locks = () => query(`SELECT id, xmax::text FROM ${table} ORDER BY id`);
        const before = await locks();
        expect((await upload()).status).toBe(200);
        expect(await locks()).toEqual(before);
      });
    },
  );

  test.each([
    ['an hour', 'hourly_sales', 'NEW.hour = 13'],
    ['the ledger row', 'uploads', 'true'],
    ['the day', 'sales_days', 'true'],
  ])(
    '500: an upload that fails at %s leaves nothing; sent again, it is the first',
    async (_what, table, condition) => {
      await breakWrites(table, `NEW.restaurant_id = ${id} AND ${condition}`);
      const failed = await upload();
      expect(await rows()).toEqual([0, 0, 0]);
      await mendWrites(table);
      const again = await upload();
      expect([failed.status, again.status]).toEqual([500, 200]);
      expect(await rows()).toEqual([1, 1, 24]);
      expect(await query('SELECT number FROM uploads WHERE restaurant_id = $1', id)).toEqual([
        { number: 1 },
      ]);
    },
  );

  test('500: a correction that fails half-way leaves the day as it was', async () => {
    await upload();
    const stored = async () => [
      await query('SELECT * FROM hourly_sales WHERE restaurant_id = $1 ORDER BY hour', id),
      await query('SELECT * FROM sales_days WHERE restaurant_id = $1', id),
    ];
    const before = await stored();
    await breakWrites('hourly_sales', `NEW.restaurant_id = ${id} AND NEW.hour = 23`);
    const answer = await upload(...day({ restaurant_id: id, gto: 7 }));
    await mendWrites('hourly_sales');
    expect(answer.status).toBe(500);
    expect(await stored()).toEqual(before);
    expect(await rows()).toEqual([1, 1, 24]);
  });

  test('an upload that fails touches no other that is saved at the same moment', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => 1000 + index);
    const till = await givenTill(service, { restaurants: ids });
    await breakWrites('hourly_sales', 'NEW.restaurant_id = 1020');
    const answers = await Promise.all(
      ids.map((restaurant_id) => service.client.upload(till.token, day({ restaurant_id }))),
    );
    await mendWrites('hourly_sales');
    expect(answers.map(({ status }) => status)).toEqual(
      ids.map((each) => (each === 1020 ? 500 : 200)),
    );
    expect(await rows(1019)).toEqual([1, 1, 24]);
    expect(await rows(1020)).toEqual([0, 0, 0]);
  });

  test('500: a connection that breaks half-way leaves nothing', async () => {
    await upload(record({ restaurant_id: id }));
    const blocker = new Client(service.database.ownerUrl);
    await blocker.connect();
    const [{ pid: blocking }] = (await blocker.query('SELECT pg_backend_pid() AS pid')).rows;
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM hourly_sales WHERE restaurant_id = $1 FOR UPDATE', [id]); // the day is taken by then
    const pending = upload();
    const waiting = 'SELECT pid FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    let pids: { pid: number }[] = [];
    while (pids.length === 0) pids = await query(waiting, blocking);
    await query('SELECT pg_terminate_backend($1)', pids[0]!.pid);
    expect((await pending).status).toBe(500);
    await blocker.query('ROLLBACK');
    await blocker.end();
    expect(await rows()).toEqual([1, 1, 1]);
    expect((await upload()).status).toBe(200);
    expect(await rows()).toEqual([1, 2, 24]);
  });

  /** Writes to a table fail where the condition holds, as a broken constraint or a full disk would have it. */
  async function breakWrites(table: string, condition: string): Promise<void> {
    await query(`
      CREATE FUNCTION break_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ${condition} THEN RAISE EXCEPTION 'broken for a test' USING ERRCODE = 'check_violation'; END IF;
        RETURN NEW;
      END $$`);
    await query(
      `CREATE TRIGGER broken BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION break_${table}()`,
    );
  }

  async function mendWrites(table: string): Promise<void> {
    await query(`DROP FUNCTION break_${table} CASCADE`);
  }
});
