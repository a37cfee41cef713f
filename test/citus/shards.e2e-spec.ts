import type { DatabaseError } from 'pg';
import { Batcher } from '../../src/database/batcher.js';
import { Database } from '../../src/database/database.js';
import { createCitusDatabase, holding } from './citus-database.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { givenTill } from '../support/given.js';
import { day } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { ON_CITUS } from '../support/test-database.js';

const FIRST = 1000;
const RESTAURANTS = [1, 2, 3, 4].map((number) => FIRST + number);

let service: TestApp;
let token: string;
beforeAll(async () => {
  service = await createTestApp({}, await createCitusDatabase());
  ({ token } = await givenTill(service, { restaurants: RESTAURANTS }));
});
afterAll(() => service.close());

const upload = (restaurant_id: number, date: string): Promise<Answer> =>
  service.client.upload(token, day({ restaurant_id, date }));

const statusesOf = (answers: Answer[]): number[] => [
  ...new Set(answers.map(({ status }) => status)),
];

(ON_CITUS ? describe.skip : describe)('A shard', () => {
  const setNode = (node: number): Promise<unknown> =>
    service.database.query('UPDATE pg_dist_placement SET groupid = $1 WHERE shardid = 1', [node]);
  const rowsOf = (date: string): Promise<unknown[]> =>
    service.database.query('SELECT FROM uploads WHERE restaurant_id = $1 AND date = $2', [
      FIRST + 1,
      date,
    ]);

  /** Makes statements of these shards wait until the result is called. */
  const freeze = (...shards: number[]): Promise<() => Promise<void>> =>
    holding(
      service.database,
      `SELECT pg_advisory_lock(shard) FROM unnest('{${shards.join()}}'::bigint[]) AS shard`,
    );

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
    expect((await upload(FIRST + 1, '2025-12-01')).status).toBe(200);
    expect(codes).toEqual(['40001']);
    expect(await rowsOf('2025-12-01')).toHaveLength(1);
  });

  test('that is nowhere: 500 after three more tries, nothing saved, and the others go on', async () => {
    await setNode(9);
    const saves = savesFromNowOn();
    const [lost, other] = await Promise.all([
      upload(FIRST + 1, '2025-12-02'),
      upload(FIRST + 2, '2025-12-02'),
    ]);
    const tries = saves().filter(([restaurant]) => restaurant === FIRST + 1).length;
    expect([lost.status, other.status, tries]).toEqual([500, 200, 4]);
    expect(await rowsOf('2025-12-02')).toHaveLength(0);
    await setNode(1);
    expect((await upload(FIRST + 1, '2025-12-02')).status).toBe(200);
  });

  test('has statements of its own, which its waiting uploads share', async () => {
    const release = await freeze(1, 2);
    const saves = savesFromNowOn();
    const add = jest.spyOn(Batcher.prototype, 'add');
    const dates = Array.from({ length: 12 }, (_, index) => `2025-11-${10 + index}`);
    const answers = Promise.all(dates.flatMap((date) => RESTAURANTS.map((id) => upload(id, date))));
    const placed = () => add.mock.calls.filter(([item]) => 'shard' in Object(item)).length;
    while (placed() < 48) await new Promise((resolve) => setImmediate(resolve));
    await release();
    expect(statusesOf(await answers)).toEqual([200]);
    const batches = saves().map(
      ([, , sent]) => JSON.parse(sent as string) as { restaurant_id: number }[],
    );
    expect(batches.length).toBeLessThan(48);
    for (const batch of batches)
      expect(new Set(batch.map(({ restaurant_id: id }) => id % 2)).size).toBe(1);
  });

  test('on a node that is frozen holds a part of the connections: uploads of other nodes are saved meanwhile', async () => {
    const release = await freeze(2); // all of node 2
    const dates = Array.from({ length: 20 }, (_, index) => `2026-01-${10 + index}`);
    let settled = 0;
    const waiting = dates.map((date) => upload(FIRST + 2, date).finally(() => settled++));
    expect(statusesOf(await Promise.all(dates.map((date) => upload(FIRST + 1, date))))).toEqual([
      200,
    ]);
    expect(settled).toBe(0);
    await release();
    expect(statusesOf(await Promise.all(waiting))).toEqual([200]);
  });
});

(ON_CITUS ? describe : describe.skip)('On a cluster', () => {
  const MOVE = `
    SELECT citus_move_shard_placement(p.shardid, a.nodename, a.nodeport, b.nodename, b.nodeport, 'block_writes')
    FROM pg_dist_placement AS p
    JOIN pg_dist_node AS a USING (groupid)
    JOIN pg_dist_node AS b ON b.groupid <> p.groupid AND b.shouldhaveshards
    WHERE p.shardid = get_shard_id_for_distribution_column('sales_days', $1::integer)
    LIMIT 1`;

  test('the shard of a restaurant moves to another worker while it uploads: all that is acknowledged is stored', async () => {
    const id = FIRST + 1;
    const from = Date.UTC(2026, 5, 1);
    const saved: string[] = [];
    let number = 0;
    let over = false;
    const uploading = Array.from({ length: 4 }, async () => {
      while (!over) {
        const date = new Date(from + number++ * 86_400_000).toISOString().slice(0, 10);
        if ((await upload(id, date)).status === 200) saved.push(date);
      }
    });
    await service.database.query(MOVE, [id]);
    const atMove = saved.length;
    while (saved.length < atMove + 20) await new Promise((resolve) => setTimeout(resolve, 5));
    over = true;
    await Promise.all(uploading);
    const stored = `SELECT date::text FROM uploads WHERE restaurant_id = $1 AND date >= '2026-06-01' ORDER BY date`;
    const dates = (await service.database.query<{ date: string }>(stored, [id])).map(
      ({ date }) => date,
    );
    expect(dates).toEqual(expect.arrayContaining(saved));
    const verified = await new CommandLine(service.app).run(['sales', 'verify', '--json']);
    expect(JSON.parse(verified.stdout)).toMatchObject({ differences: 0 });
  });
});
