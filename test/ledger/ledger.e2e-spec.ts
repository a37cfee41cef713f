import { readMetric } from '../operation/read-metric.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

/** All of a restaurant's hours, with their versions of the row. */
const HOURS =
  'SELECT *, ctid::text, xmin::text FROM hourly_sales WHERE restaurant_id = $1 ORDER BY hour';

let service: TestApp;
beforeAll(async () => (service = await createTestApp()));
afterAll(() => service.close());

/** Each test has a restaurant of its own, and its till. */
let id = 100;
let token: string;
beforeEach(async () => ({ token } = await givenTill(service, { restaurants: [++id] })));

/** A whole day, or such records. */
const upload = (...records: Record<string, unknown>[]) => {
  const sent = records.length > 0 ? records : day();
  return service.client.upload(
    token,
    sent.map((each) => ({ ...each, restaurant_id: id })),
  );
};
const query = (sql: string, ...values: unknown[]) => service.database.query<any>(sql, values);
/** How many rows the days, uploads and hours have of a restaurant. */
const rows = async (restaurant = id): Promise<number[]> => {
  const of = (table: string) => `(SELECT count(*) FROM ${table} WHERE restaurant_id = $1)`;
  const counts = ['sales_days', 'uploads', 'hourly_sales'].map(of);
  return (await query(`SELECT ARRAY[${counts.join()}]::int[] AS counts`, restaurant))[0].counts;
};

test('an identical re-send answers 200 with the same processed and writes no hour', async () => {
  await upload();
  const before = await query(HOURS, id);
  const answer = await upload();
  expect([answer.status, answer.body.processed]).toEqual([200, 24]);
  expect(before).toHaveLength(24);
  expect(await query(HOURS, id)).toEqual(before);
  const second = 'SELECT * FROM uploads WHERE restaurant_id = $1 AND number = 2';
  const kept = { processed: 24, changed_hours: 0, records: null };
  expect(await query(second, id)).toMatchObject([kept]);
});

test('a correction writes and counts the hour that changed and no other', async () => {
  const countOverwritten = () => readMetric('upload_hours_overwritten_total');
  await upload();
  const [before, counted] = [await query(HOURS, id), await countOverwritten()];
  await upload(...day().slice(0, 12), record({ hour: 13, gto: 1 }));
  const changed = (await query(HOURS, id)).filter(({ ctid }, at) => ctid !== before[at].ctid);
  expect(changed.map(({ hour }) => hour)).toEqual([13]);
  expect((await countOverwritten()) - counted).toBe(1);
});

test('sales_history shows who replaced what, when, with the values before and after', async () => {
  await upload(record({ gto: 1.5 }));
  const colleague = await givenTill(service, { restaurants: [id] });
  ({ token } = colleague);
  await upload(record({ gto: 2.25 }));
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

const UPSERT =
  'INSERT INTO uploads TABLE uploads ON CONFLICT (restaurant_id, date, number) DO UPDATE';

test.each([
  ['uploads', 'UPDATE', 'UPDATE uploads SET processed = 1'],
  ['uploads', 'UPDATE', 'UPDATE uploads SET processed = 1 WHERE false'],
  ['uploads', 'UPDATE', `${UPSERT} SET processed = 1`],
  ['uploads', 'DELETE', 'DELETE FROM uploads'],
  ['uploads', 'TRUNCATE', 'TRUNCATE uploads'],
  ['sales_days', 'TRUNCATE', 'TRUNCATE sales_days CASCADE'],
  ['sales_days', 'DELETE', 'DELETE FROM sales_days'],
  ...['users', 'restaurants'].flatMap((table) => [
    [table, 'DELETE', `DELETE FROM ${table} WHERE id = 0`],
    [table, 'TRUNCATE', `TRUNCATE ${table} CASCADE`],
    [table, 'UPDATE', `UPDATE ${table} SET id = DEFAULT`],
  ]),
])('rows of %s are kept, as uploads name them: %s is refused by %s', async (table, verb, sql) => {
  await upload();
  const message = `rows of ${table} are kept: ${verb} is refused`;
  await expect(query(sql)).rejects.toMatchObject({ code: '23001', message });
  expect(await rows()).toEqual([1, 1, 24]);
});

test('no upload writes a lock into the rows of users and restaurants', async () => {
  const of = (table: string) => `SELECT id, xmax::text FROM ${table}`;
  const locks = () => query(`${of('users')} UNION ALL ${of('restaurants')} ORDER BY id`);
  const before = await locks();
  expect((await upload()).status).toBe(200);
  expect(await locks()).toEqual(before);
});

/** Lets writes to a table fail where the condition holds, as a full disk would, during `work`. */
async function whileBroken<T>(table: string, condition: string, work: () => Promise<T>) {
  await query(`
      CREATE FUNCTION break_writes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ${condition} THEN RAISE EXCEPTION 'broken for a test' USING ERRCODE = 'check_violation'; END IF;
        RETURN NEW;
      END $$`);
  await query(
    `CREATE TRIGGER broken BEFORE INSERT OR UPDATE ON ${table}
     FOR EACH ROW EXECUTE FUNCTION break_writes()`,
  );
  return work().finally(() => query('DROP FUNCTION break_writes CASCADE'));
}

test.each([
  ['hourly_sales', 'NEW.hour = 13'],
  ['uploads', 'true'],
  ['sales_days', 'true'],
])(
  'an upload that fails at %s is 500 and leaves nothing, and a correction leaves the day as it was',
  async (table, condition) => {
    const failing = `NEW.restaurant_id = ${id} AND ${condition}`;
    const fail = (records = day()) => whileBroken(table, failing, () => upload(...records));
    expect((await fail()).status).toBe(500);
    expect(await rows()).toEqual([0, 0, 0]);
    expect((await upload()).status).toBe(200);
    const stored = async () => [
      await query(HOURS, id),
      await query('SELECT * FROM sales_days WHERE restaurant_id = $1', id),
      await query('SELECT * FROM uploads WHERE restaurant_id = $1', id),
    ];
    const before = await stored();
    expect(before).toMatchObject([{ length: 24 }, [{ uploads: 1 }], [{ number: 1 }]]);
    expect((await fail(day({ gto: 7 }))).status).toBe(500);
    expect(await stored()).toEqual(before);
  },
);

test('an upload that fails touches no other that is saved at the same moment', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => 1000 + index);
  const till = await givenTill(service, { restaurants: ids });
  const answers = await whileBroken('hourly_sales', 'NEW.restaurant_id = 1020', () =>
    Promise.all(ids.map((each) => service.client.upload(till.token, day({ restaurant_id: each })))),
  );
  const expected = ids.map((each) => (each === 1020 ? 500 : 200));
  expect(answers.map(({ status }) => status)).toEqual(expected);
  expect(await rows(1019)).toEqual([1, 1, 24]);
  expect(await rows(1020)).toEqual([0, 0, 0]);
});

test('a connection that breaks half-way is 500 and leaves nothing', async () => {
  await upload(record());
  await query('BEGIN');
  await query('SELECT FROM hourly_sales WHERE restaurant_id = $1 FOR UPDATE', id); // the day is taken by then
  const pending = upload();
  const ended = `SELECT DISTINCT ON (pid) pg_terminate_backend(pid) FROM pg_locks
      WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
  await eventually(async () => (await query(ended)).length > 0, 'the upload to be blocked');
  expect((await pending).status).toBe(500);
  await query('ROLLBACK');
  expect(await rows()).toEqual([1, 1, 1]);
  expect((await upload()).status).toBe(200);
  expect(await rows()).toEqual([1, 2, 24]);
});
