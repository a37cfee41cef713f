import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine, type Ran } from '../support/command-line.js';
import { givenTill } from '../support/given.js';
import { day } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const PARTITIONING = readFileSync(join(__dirname, '../../docs/partition-by-month.sql'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'sales-upload-archive-'));

let service: TestApp;
let owner: CommandLine;
let token: string;
beforeAll(async () => {
  service = await createTestApp();
  const { app } = await service.another({ DATABASE_URL: service.database.ownerUrl, AUDIT_RETENTION_MONTHS: 24 });
  owner = new CommandLine(app);
  ({ token } = await givenTill(service, { restaurants: [101] }));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const count = async (rows: string): Promise<number> =>
  (await service.database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${rows}`))[0]!.count;

describe('audit prune', () => {
  const events = `audit_log WHERE actor = 'user:1000'`;
  beforeAll(async () => {
    await service.database.query(`
      INSERT INTO audit_log (at, actor, action, outcome)
      SELECT now() - make_interval(months => age), 'user:1000', action, outcome
      FROM (VALUES (0), (2), (13), (25)) AS a (age),
        (VALUES ('login', 'success'), ('login', 'failure'), ('login', 'refused'), ('login lock', 'locked')) AS e (action, outcome)`);
  });

  test('no one deletes what is younger than a year, or a failed login younger than a month', async () => {
    for (const young of [
      `at > now() - interval '2 months' - interval '1 day' AND outcome = 'success'`,
      `outcome = 'failure'`,
    ])
      await expect(service.database.query(`DELETE FROM ${events} AND ${young}`)).rejects.toThrow('are kept');
    expect(await count(events)).toBe(16);
  });

  test('deletes failed logins after a month, and everything after AUDIT_RETENTION_MONTHS, as the owner alone', async () => {
    expect(await new CommandLine(service.app).run(['audit', 'prune'])).toMatchObject({ status: 1 });
    expect(await owner.run(['audit', 'prune'])).toMatchObject({ status: 0, stdout: '8 events deleted\n' });
    expect(await count(`${events} AND outcome IN ('failure', 'refused')`)).toBe(2);
    expect(await count(`${events} AND outcome IN ('success', 'locked')`)).toBe(6);
  });
});

describe('sales archive', () => {
  const output = join(folder, '2024-03.csv');
  const archive = (month: string, file = output): Promise<Ran> =>
    owner.run(['sales', 'archive', month, '--output', file]);
  beforeAll(async () => {
    await service.database.query(PARTITIONING);
    await service.database.query(`CALL prepare_sales_partitions('2024-03-01')`);
    await service.database.query(`CALL swap_in_sales_partitions('2024-03-01', 2)`);
    for (const date of ['2024-03-01', '2024-03-31', '2024-04-01']) await service.client.upload(token, day({ date }));
  });

  test.each([
    ['9999-12', /it is not over/],
    ['2024-01', /it has no partition of its own/],
  ])('rejects %s', async (month, reason) => {
    const { status, stderr } = await archive(month);
    expect([status, stderr]).toEqual([1, expect.stringMatching(reason)]);
  });

  test('rejects a month while the figures differ from the ledger', async () => {
    await service.database.query(`UPDATE hourly_sales SET gto = 1 WHERE date = '2024-03-01' AND hour = 1`);
    expect((await archive('2024-03')).stderr).toMatch(/sales verify reports 1 differences/);
    await owner.run(['sales', 'repair', '--write']);
  });

  test('exports the uploads, takes the month out and keeps the hash of the file', async () => {
    const { status, stdout } = await archive('2024-03');
    const sha256 = createHash('sha256').update(readFileSync(output)).digest('hex');
    expect([status, stdout]).toEqual([0, `2 uploads of 2024-03 archived in ${output}, SHA-256 ${sha256}\n`]);
    expect(readFileSync(output, 'utf8')).toMatch(
      /^restaurant_id,date,number,.*\n101,2024-03-01,1,.*\n101,2024-03-31,1,.*\n$/,
    );
    const months = 'SELECT month::text, uploads, sha256 FROM archived_months';
    expect(await service.database.query(months)).toEqual([{ month: '2024-03-01', uploads: 2, sha256 }]);
    expect([await count('uploads'), await count('hourly_sales'), await count('sales_days')]).toEqual([1, 24, 3]);
    expect(await count('uploads_2024_03')).toBe(2);
    const verified = '1 days compared with the ledger (1 archived months are left out): 0 differences\n';
    expect(await owner.run(['sales', 'verify'])).toMatchObject({ status: 0, stdout: verified });
  });

  test('leaves that month out of repairs; an hour that is stored in it later is reported', async () => {
    const nothing = '0 hours of 0 days written back from the ledger\n';
    expect((await owner.run(['sales', 'repair', '--write'])).stdout).toBe(nothing);
    expect(await count('hourly_sales')).toBe(24);
    await service.database.query('INSERT INTO hourly_sales SELECT * FROM hourly_sales_2024_03 WHERE hour = 1');
    expect((await owner.run(['sales', 'verify'])).stdout).toMatch(/: 2 differences\n$/);
    await service.database.query(`DELETE FROM hourly_sales WHERE date < '2024-04-01'`);
  });

  test('takes no more uploads of that month, in a dry run neither', async () => {
    for (const query of ['', '?dry_run=true']) {
      const records = day({ date: '2024-03-15' });
      const answer = await service.client.post(`/api/v1/sales/upload-daily${query}`, { records }, { token });
      expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'month_archived']);
    }
    expect((await service.client.upload(token, day({ date: '2024-04-30' }))).status).toBe(200);
  });
});
