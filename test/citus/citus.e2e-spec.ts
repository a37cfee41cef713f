import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseError } from 'pg';
import { Batcher } from '../../src/database/batcher.js';
import { Database } from '../../src/database/database.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, ON_CITUS } from '../support/test-database.js';

const CITUS_SQL = join(__dirname, '../../src/sales/uploads/distributed/citus.sql');

/** What the service uses of Citus: shard 1 has the odd restaurants and is on node 1, shard 2 the even ones and is on node 2. */
const DOUBLE = `
CREATE TABLE pg_dist_local_group (groupid integer);
INSERT INTO pg_dist_local_group VALUES (1), (2); -- one server is both nodes
CREATE TABLE pg_dist_shard (logicalrelid regclass, shardid bigint);
INSERT INTO pg_dist_shard VALUES ('sales_days', 2), ('sales_days', 1), ('hourly_sales', 4), ('hourly_sales', 3),
  ('uploads', 6), ('uploads', 5);
CREATE TABLE pg_dist_placement (shardid bigint, groupid integer);
INSERT INTO pg_dist_placement VALUES (1, 1), (2, 2);
CREATE FUNCTION lock_shard_metadata(mode integer, shards bigint[]) RETURNS void LANGUAGE sql
  AS 'SELECT pg_advisory_xact_lock_shared(s) FROM unnest(shards) AS s';
CREATE FUNCTION get_shard_id_for_distribution_column(t regclass, value integer) RETURNS bigint LANGUAGE sql
  AS 'SELECT shardid FROM pg_dist_shard WHERE logicalrelid = t ORDER BY (shardid + value) % 2 LIMIT 1';
DO $$ DECLARE shard record; BEGIN
  FOR shard IN SELECT * FROM pg_dist_shard LOOP
    EXECUTE format('CREATE VIEW %s_%s AS TABLE %1$s', shard.logicalrelid, shard.shardid);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %s_%s TO sales_service', shard.logicalrelid, shard.shardid);
  END LOOP;
END $$;
GRANT SELECT ON pg_dist_local_group, pg_dist_shard, pg_dist_placement TO sales_service;`;

const ODD = 1001;
const EVEN = 1002;
const RESTAURANTS = [ODD, EVEN, 1003, 1004];

let service: TestApp;
let username: string;
let token: string;

/** On a cluster, or on plain PostgreSQL with a double of Citus. */
beforeAll(async () => {
  const database = await createTestDatabase();
  if (!ON_CITUS) {
    const ofCitus = /^(SELECT create_|SET citus|.*\\gexec$|\\).*$/gm;
    await database.query(DOUBLE);
    await database.query(readFileSync(CITUS_SQL, 'utf8').replace(ofCitus, ''));
  }
  service = await createTestApp({}, database);
  ({ username, token } = await givenTill(service, { restaurants: RESTAURANTS }));
});
afterAll(() => service.close());

const upload = (restaurant_id: number, date = '2025-10-15'): Promise<Answer> =>
  service.client.upload(token, day({ restaurant_id, date }));

/** The statuses of uploads at the same moment, each once. */
const statusesOf = async (uploads: Promise<Answer>[]): Promise<number[]> => [
  ...new Set((await Promise.all(uploads)).map(({ status }) => status)),
];

async function admin(args: string[], input = ''): Promise<string> {
  const ran = await new CommandLine(service.app).run(args, input);
  expect(ran).toMatchObject({ stderr: '' });
  return ran.stdout;
}

test('Uploads are saved and corrected on the shards of their restaurants, and the ledger verifies', async () => {
  expect(await statusesOf(RESTAURANTS.map((id) => upload(id)))).toEqual([200]);
  const sent = record({ restaurant_id: ODD, hour: 13, gto: 7.25 });
  expect((await service.client.upload(token, [sent])).body).toEqual({
    success: true,
    processed: 1,
    message: `1 hourly record saved for restaurant ${ODD} (Restaurant ${ODD}) on 2025-10-15`,
  });
  const of = `restaurant_id=${ODD}&date=2025-10-15`;
  const { records } = (await service.client.get(`/api/v1/sales/daily?${of}`, { token })).body;
  expect([records.length, records[13].gto]).toEqual([24, 7.25]);
  const { uploads } = (await service.client.get(`/api/v1/sales/uploads?${of}`, { token })).body;
  expect(uploads.map(({ changes }: any) => changes.length)).toEqual([1, 24]);
  expect(uploads[0].changes).toMatchObject([
    { hour: 13, before: { gto: 113.25 }, after: { gto: 7.25 } },
  ]);
  await givenRestaurant(service, 1005);
  expectError(await upload(1005), 403);
  expect(JSON.parse(await admin(['sales', 'verify', '--json']))).toMatchObject({
    days: 4,
    differences: 0,
  });
});

test('A mark of a table that the function does not know is a syntax error', async () => {
  const text = 'INSERT INTO {other_table} SELECT $1, $2';
  const save = 'SELECT save_on_shard($1, $2, $3, $4)';
  await expect(service.database.query(save, [ODD, text, '[]', []])).rejects.toThrow(
    'syntax error at or near "{"',
  );
});

test('A token that was revoked, an account that was disabled or got a new password: 401 at once', async () => {
  const statusOf = async (): Promise<number> => (await upload(ODD)).status;
  const renew = async (password: string): Promise<void> => {
    token = await service.client.token(username, password);
    expect(await statusOf()).toBe(200);
  };
  await service.client.post('/api/v1/auth/revoke', {}, { token });
  expectError(await upload(ODD), 401, /revoked/);
  await renew('right password');
  expect(await admin(['user', 'disable', username])).toContain('1 token revoked');
  expect(await statusOf()).toBe(401);
  await admin(['user', 'enable', username]);
  expect(await statusOf()).toBe(401);
  await renew('right password');
  await admin(['user', 'set-password', username, '--password-stdin'], 'another password\n');
  expect(await statusOf()).toBe(401);
  await renew('another password');
  await admin(['token', 'revoke', username]);
  expect(await statusOf()).toBe(401);
  await renew('another password');
});

// A cluster's shards are moved and its nodes stopped by the drills.
(ON_CITUS ? describe.skip : describe)('A shard', () => {
  const setNode = (node: number): Promise<unknown> =>
    service.database.query('UPDATE pg_dist_placement SET groupid = $1 WHERE shardid = 1', [node]);
  const rowsOf = (date: string): Promise<unknown[]> =>
    service.database.query('SELECT FROM uploads WHERE restaurant_id = $1 AND date = $2', [
      ODD,
      date,
    ]);

  /** Makes statements of these shards wait until they are released. */
  const freeze = (...shards: number[]): Promise<unknown> =>
    service.database.query('SELECT pg_advisory_lock(s) FROM unnest($1::bigint[]) AS s', [shards]);
  const release = (): Promise<unknown> => service.database.query('SELECT pg_advisory_unlock_all()');

  /** The values of each call of the function that saves, from now on. */
  const savesFromNowOn = () => {
    const run = jest.spyOn(service.app.get(Database), 'run');
    return (): unknown[][] =>
      run.mock.calls.filter(([{ name }]) => name === 'save_on_shard').map(([, values]) => values);
  };
  afterEach(() => jest.restoreAllMocks());

  test('that was moved: its uploads are saved on the next try', async () => {
    await setNode(9);
    const database = service.app.get(Database);
    const run = database.run.bind(database);
    const codes: unknown[] = [];
    jest.spyOn(database, 'run').mockImplementation((statement, values) =>
      run<never>(statement, values).catch(async (error: unknown) => {
        codes.push((error as DatabaseError).code);
        await setNode(1);
        throw error;
      }),
    );
    expect((await upload(ODD, '2025-12-01')).status).toBe(200);
    expect(codes).toEqual(['40001']);
    expect(await rowsOf('2025-12-01')).toHaveLength(1);
  });

  test('that is nowhere: 500 after three more tries, nothing saved, and the others go on', async () => {
    await setNode(9);
    const saves = savesFromNowOn();
    const [lost, other] = await Promise.all([upload(ODD, '2025-12-02'), upload(EVEN)]);
    const tries = saves().filter(([restaurant]) => restaurant === ODD).length;
    expect([lost.status, other.status, tries]).toEqual([500, 200, 4]);
    expect(await rowsOf('2025-12-02')).toHaveLength(0);
    await setNode(1);
    expect((await upload(ODD, '2025-12-02')).status).toBe(200);
  });

  test('has statements of its own, which its waiting uploads share', async () => {
    await freeze(1, 2);
    const saves = savesFromNowOn();
    const add = jest.spyOn(Batcher.prototype, 'add');
    const dates = Array.from({ length: 12 }, (_, index) => `2025-11-${10 + index}`);
    const all = dates.flatMap((date) => RESTAURANTS.map((id) => upload(id, date)));
    const placed = () => add.mock.calls.filter(([item]) => 'shard' in Object(item)).length;
    while (placed() < 48) await new Promise((resolve) => setImmediate(resolve));
    await release();
    expect(await statusesOf(all)).toEqual([200]);
    const batches = saves().map(
      ([, , sent]) => JSON.parse(sent as string) as { restaurant_id: number }[],
    );
    expect(batches.length).toBeLessThan(48);
    for (const batch of batches)
      expect(new Set(batch.map(({ restaurant_id: id }) => id % 2)).size).toBe(1);
  });

  test('on a node that is frozen holds a part of the connections: uploads of other nodes are saved meanwhile', async () => {
    await freeze(2); // all of node 2
    const dates = Array.from({ length: 20 }, (_, index) => `2026-01-${10 + index}`);
    let settled = 0;
    const waiting = dates.map((date) => upload(EVEN, date).finally(() => settled++));
    expect(await statusesOf(dates.map((date) => upload(ODD, date)))).toEqual([200]);
    expect(settled).toBe(0);
    await release();
    expect(await statusesOf(waiting)).toEqual([200]);
  });
});
