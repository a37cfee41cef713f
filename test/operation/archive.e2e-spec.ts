import { execFile, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LedgerService } from '../../src/sales/ledger/ledger.service.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase, ON_CITUS } from '../support/test-database.js';

const SERVER = (process.env['TEST_NODE_URLS'] ?? '').split(' ')[0]!;
const SCRIPT = join(__dirname, '../../deploy/archive/archive.sh');
const isInstalled = spawnSync('psql', ['--version']).status === 0;
const DATES = ['2024-02-28', '2024-02-29', '2024-12-31', '2025-01-01'];

/** Runs a program with a URL that has no password, and the password in the environment. */
async function run(program: string, url: string, ...args: string[]): Promise<string> {
  const { password } = new URL(url);
  const bare = Object.assign(new URL(url), { password: '' }).href;
  const env = { PATH: process.env['PATH'], PGPASSWORD: password, DATABASE_URL: bare };
  const { stdout } = await promisify(execFile)(program, args, { env });
  return stdout;
}

(isInstalled && !ON_CITUS ? describe : describe.skip)('deploy/archive/archive.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sales-upload-archive-'));
  let service: TestApp;
  let token: string;
  let superuser: string;
  beforeAll(async () => {
    service = await createTestApp();
    ({ token } = await givenTill(service, { restaurants: [101, 102] }));
    const { pathname } = new URL(service.database.url);
    superuser = Object.assign(new URL(SERVER), { pathname }).href;
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const upload = async (records: Record<string, unknown>[]) =>
    expect((await service.client.upload(token, records)).status).toBe(200);
  const archive = (url: string, ...args: string[]) => run(SCRIPT, url, ...args);
  const asOwner = (...args: string[]) => archive(service.database.ownerUrl, ...args);
  const verify = () => service.app.get(LedgerService).verify();
  const stored = () =>
    service.database.query(
      `SELECT date::text, restaurant_id, count(*)::integer AS hours FROM hourly_sales GROUP BY 1, 2 ORDER BY 1, 2`,
    );
  const all = () =>
    service.database.query(
      `SELECT (SELECT json_agg(d ORDER BY date, restaurant_id) FROM sales_days AS d) AS days,
        (SELECT json_agg(h ORDER BY date, restaurant_id, hour) FROM hourly_sales AS h) AS hours,
        (SELECT json_agg(u ORDER BY date, restaurant_id, number) FROM uploads AS u) AS uploads`,
    );

  test('copies the days before a date, deletes them beside uploads, and writes them back', async () => {
    for (const date of DATES)
      for (const restaurant_id of [101, 102]) await upload(day({ date, restaurant_id }));
    await upload([record({ date: '2024-02-29', gto: 7.125 })]);
    const before = await all();

    const copied = await asOwner('copy', join(folder, 'copy'), '2025-01-01');
    expect(copied.split('\n')).toEqual([
      '6 days', '144 hours', '7 uploads', '1 corrections', '2 restaurants', '1 users', '',
    ]); // prettier-ignore

    expect(statSync(join(folder, 'copy/days.csv.gz')).mode & 0o777).toBe(0o600);

    // The copy is read without the service.
    const other = await createTestDatabase('template0');
    const read = ['-qXAt', '-v', 'ON_ERROR_STOP=1', '-f', join(folder, 'copy/read.sql')];
    const counts = await run('bash', other.ownerUrl, '-c', `cd ${folder}/copy && psql "$DATABASE_URL" ${read.join(' ')}`); // prettier-ignore
    expect(counts).toBe(copied);
    expect(
      await other.query('SELECT gto_before::text, gto_after::text, username FROM corrections'),
    ).toMatchObject([{ gto_before: '112.25', gto_after: '7.125' }]);
    await other.drop();

    // A day that was corrected after it was copied stays; the others go, while uploads are saved.
    await expect(asOwner('delete', join(folder, 'copy'))).rejects.toThrow(/permission denied/);
    expect(await all()).toEqual(before);
    await upload([record({ date: '2024-12-31', gto: 8 })]);
    const deleting = archive(superuser, 'delete', join(folder, 'copy'));
    for (let hour = 0; hour < 24; hour++) await upload([record({ date: '2025-01-02', hour })]);
    expect(await deleting).toMatch(
      /^5 days, 120 hours, 6 uploads deleted\n1 days stay, [^\n|]+\n  restaurant 101 on 2024-12-31\n$/,
    );
    expect(await stored()).toEqual([
      { date: '2024-12-31', restaurant_id: 101, hours: 24 },
      { date: '2025-01-01', restaurant_id: 101, hours: 24 },
      { date: '2025-01-01', restaurant_id: 102, hours: 24 },
      { date: '2025-01-02', restaurant_id: 101, hours: 24 },
    ]);
    expect(await verify()).toMatchObject({ days: 4, differences: 0 });
    const events = `SELECT details FROM audit_log WHERE action = 'sales archive'`;
    expect(await service.database.query(events)).toMatchObject([{ details: { days: 5 } }]);

    // A deletion that has nothing left to delete is harmless.
    expect(await archive(superuser, 'delete', join(folder, 'copy'))).toMatch(/^0 days/);

    // What the database holds is not written over, and keeps no other day away.
    const kept = `SELECT json_agg(u ORDER BY number) AS uploads FROM uploads AS u WHERE date = '2024-12-31' AND restaurant_id = 101`;
    const uploads = await service.database.query(kept);
    expect(await asOwner('back', join(folder, 'copy'))).toBe(
      '5 days, 120 hours, 6 uploads written\n' +
        '1 days stay as the database holds them\n  restaurant 101 on 2024-12-31\n',
    );
    expect(await service.database.query(kept)).toEqual(uploads);
    expect(await verify()).toMatchObject({ days: 9, differences: 0 });
    const written = events.replace('archive', 'archive back');
    expect(await service.database.query(written)).toMatchObject([
      { details: { days: 5, uploads: 6 } },
    ]);
  });

  test('days that were deleted are written back to the digit', async () => {
    const before = await all();
    await asOwner('copy', join(folder, 'second'), '2026-01-01');
    await archive(superuser, 'delete', join(folder, 'second'));
    expect(await stored()).toEqual([]);
    await asOwner('back', join(folder, 'second'));
    expect(await all()).toEqual(before);
    expect(await verify()).toMatchObject({ differences: 0 });
  });

  test('refuses a folder that holds anything, a changed file, and a URL with a password', async () => {
    const copy = join(folder, 'second');
    await expect(asOwner('copy', copy, '2025-01-01')).rejects.toThrow(/is not empty/);
    appendFileSync(join(copy, 'days.csv.gz'), ' ');
    await expect(archive(superuser, 'delete', copy)).rejects.toThrow(/did NOT match/);
    const env = { PATH: process.env['PATH'], DATABASE_URL: service.database.ownerUrl };
    const { stderr } = spawnSync(SCRIPT, ['delete', copy], { env, encoding: 'utf8' });
    expect(stderr).toContain('holds a password');
  });
});
