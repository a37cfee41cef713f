import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Migrate from '../../src/database/migrate.js';
import type * as FieldMigration from '../../src/sales/fields/field-migration.js';
import { LedgerService } from '../../src/sales/ledger/ledger.service.js';
import type { Answer, Client } from '../support/client.js';
import type * as Commands from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { hasHistory, unpackRelease } from '../support/history.js';
import { OtherVersion } from '../support/other-version.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { grantRights } from '../support/test-database.js';
import { compileCopy, copyWith, sectionOf, shownFiles } from '../support/walkthrough.js';

/** Changes if PostgreSQL rewrites the table. */
const FILE = `SELECT pg_relation_filenode('hourly_sales') AS file`;

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/extending.md'), 'utf8');
const shown = shownFiles(sectionOf(page, 'A new field of the record'));
const WRITTEN = ['migrations/1764547200000-add-tips.ts', 'docs/citus.sql', 'web/src/api/schema.d.ts'];
const copy = copyWith(root, shown);
const inCopy = (path: string): unknown => jest.requireActual<object>(join(copy, path));
const released = hasHistory ? unpackRelease() : undefined;

/** The steps of the page on a copy of the project, with a database that the present release has filled. */
describe('The new field of docs/extending.md', () => {
  let present: TestApp;
  let extended: OtherVersion;
  let client: Client;
  let token: string;
  let compiling: ReturnType<typeof compileCopy>;

  beforeAll(async () => {
    const { fieldMigration } = inCopy('src/sales/fields/field-migration.ts') as typeof FieldMigration;
    writeFileSync(join(copy, WRITTEN[0]!), fieldMigration('tips'));
    compiling = compileCopy(root, copy, ['test/support', 'test/contract']);
    present = await createTestApp();
    ({ token } = await givenTill(present));
    for (const records of [day(), [record({ hour: 9, gto: 1 })], [record({ hour: 9, gto: 1 })]])
      expect((await present.client.upload(token, records)).status).toBe(200);
    const file = await present.database.query(FILE);
    expect(await migrate()).toEqual(['AddTips1764547200000']);
    expect(await present.database.query(FILE)).toEqual(file);
    await grantRights(present.database.ownerUrl, copy);
    extended = await OtherVersion.start(copy, present);
    ({ client } = extended);
  });
  afterAll(async () => {
    await extended.close();
    await present.close();
    for (const folder of [copy, released?.folder]) if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const migrate = (act: 'migrate' | 'revertMigration' = 'migrate') => {
    const config = Object.assign(Object.create(present.config), { DATABASE_URL: present.database.ownerUrl });
    return (inCopy('src/database/migrate.ts') as typeof Migrate)[act](config);
  };
  const get = (path: string): Promise<Answer> => client.get(`/api/v1/sales/${path}`, { token });
  const stored = async (hour: number): Promise<any> => {
    const { records } = (await get('daily?restaurant_id=101&date=2025-10-15')).body;
    return records.find((each: any) => each.hour === hour);
  };
  const lastChanges = async (): Promise<any[]> => {
    const { uploads } = (await get('uploads?restaurant_id=101&date=2025-10-15')).body;
    return uploads[0].changes.map(({ hour, before, after }: any) => [hour, before?.tips, after.tips]);
  };
  const differences = async (ledger = extended.ledger) => (await ledger.verify()).differences;

  test('data from before has the default', async () => {
    expect(await stored(9)).toEqual(record({ hour: 9, gto: 1, tips: 0 }));
    expect(await lastChanges()).toEqual([]);
  });

  test('200: a client that does not know the field', async () => {
    expect((await client.upload(token, [record({ hour: 9, gto: 1 }), record({ hour: 10, gto: 2 })])).status).toBe(200);
    expect(await lastChanges()).toEqual([[10, 0, 0]]); // hour 9 was sent as it was
    expect(await stored(10)).toEqual(record({ hour: 10, gto: 2, tips: 0 }));
  });

  test('200: some records with the field, some without', async () => {
    const sent = [
      record({ hour: 9, gto: 1, tips: 0.1 }),
      record({ hour: 10, gto: 2 }),
      record({ hour: 11, tips: 0.2 }),
    ];
    expect((await client.upload(token, sent)).status).toBe(200);
    expect(await lastChanges()).toEqual([
      [9, 0, 0.1],
      [11, 0, 0.2],
    ]);
    expect((await get('daily?restaurant_id=101&date=2025-10-15')).body.totals.tips).toBe(0.3);
  });

  test('200: left out again, it is the default again', async () => {
    expect((await client.upload(token, [record({ hour: 11 })])).status).toBe(200);
    expect(await lastChanges()).toEqual([[11, 0.2, 0]]);
  });

  test.each([-1, '1', null])('400: the field is %p', async (tips) => {
    expectError(await client.upload(token, [record({ tips })]), 400, /records\[0\]\.tips must /);
  });

  test('the OpenAPI document has it as optional', async () => {
    const { HourlySalesRecordDto } = (await client.get('/api/v1/openapi.json')).body.components.schemas;
    expect(HourlySalesRecordDto.properties.tips).toMatchObject({ type: 'number', minimum: 0 });
    expect(HourlySalesRecordDto.required).toContain('other');
    expect(HourlySalesRecordDto.required).not.toContain('tips');
  });

  test.each([
    ['csv', /^restaurant_id,date,.*,tips\n(?:.*\n){9}101,2025-10-15,9,.*,0\.1\n/],
    ['ndjson', /^(?:.*\n){9}\{.*"hour":9,.*"tips":0\.1\}\n/],
  ])('an export has it: %s', async (format, expected) => {
    const { CommandLine } = inCopy('test/support/command-line.ts') as typeof Commands;
    const range = ['--from', '2025-10-15', '--to', '2025-10-15', '--format', format];
    const { status, stdout } = await new CommandLine(extended.app).run(['sales', 'export', ...range]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(expected) });
  });

  test('an instance of the present release goes on working', async () => {
    expect((await present.client.upload(token, [record({ hour: 12, gto: 3 })])).status).toBe(200);
    expect(await lastChanges()).toEqual([[12, 0, 0]]);
    const { body } = await present.client.get('/api/v1/sales/uploads?restaurant_id=101&date=2025-10-15', { token });
    expect(body.uploads[0].changes[0]).toMatchObject({ hour: 12, before: { gto: 112.25 }, after: { gto: 3 } });
  });

  /** Overwrites hours of which one has tips, twice; whatever the extended release sends between counts. */
  const overwriteWith = async (older: Client): Promise<void> => {
    expect((await client.upload(token, [record({ hour: 13, tips: 5 })])).status).toBe(200);
    for (const gto of [1, 2]) {
      const sent = [13, 14].map((hour) => record({ hour, gto }));
      expect((await older.upload(token, sent)).status).toBe(200);
      expect(await lastChanges()).toEqual([[13, 5, 5], [14, 0, 0]]); // prettier-ignore
    }
    expect([(await stored(13)).tips, (await stored(14)).tips]).toEqual([5, 0]);
    expect((await client.upload(token, [record({ hour: 13, gto: 2 })])).status).toBe(200);
    expect(await lastChanges()).toEqual([[13, 5, 0]]);
    expect((await older.upload(token, [record({ hour: 13, gto: 3 })])).status).toBe(200);
    expect(await lastChanges()).toEqual([[13, 0, 0]]);
    expect(await differences()).toBe(0);
  };

  test('an instance that does not know the field overwrites hours: they keep its value', async () => {
    await overwriteWith(present.client);
    expect(await differences(present.app.get(LedgerService))).toBe(0);
  });

  (released ? test : test.skip)(
    `so does one of the release ${released?.version ?? 'before: no git history'}`,
    async () => {
      const older = await OtherVersion.start(released!.folder, present);
      await overwriteWith(older.client);
      expect(await differences(older.ledger)).toBe(0);
      await older.close();
    },
  );

  test('the ledger verifies', async () => {
    expect(await differences()).toBe(0);
    await present.database.query('UPDATE hourly_sales SET tips = 7 WHERE hour IN (9, 13)');
    expect(await differences()).toBe(2);
    expect(await differences(present.app.get(LedgerService))).toBe(0);
    await extended.ledger.repair(false);
    expect(await differences()).toBe(0);
  });

  test('amounts stay within their bounds in the tables', async () => {
    for (const [name, value] of Object.entries({ tips: -1, gto: 1e11 }))
      await expect(present.database.query(`UPDATE hourly_sales SET ${name} = ${value}`)).rejects.toThrow(
        'sales_amount',
      );
  });

  test('reverted, the present release works as before', async () => {
    expect(await migrate('revertMigration')).toBe('AddTips1764547200000');
    await grantRights(present.database.ownerUrl);
    expect((await present.client.upload(token, [record({ hour: 9, gto: 4 })])).status).toBe(200);
    expect(await differences(present.app.get(LedgerService))).toBe(0);
    const { body } = await present.client.get('/api/v1/sales/uploads?restaurant_id=101&date=2025-10-15', { token });
    expect(body.uploads[0].changes).toEqual([expect.objectContaining({ hour: 9 })]);
  });

  test('added again, sales repair writes the values back', async () => {
    await migrate();
    await grantRights(present.database.ownerUrl, copy);
    expect((await stored(9)).tips).toBe(0);
    await extended.ledger.repair(false);
    expect((await stored(9)).tips).toBe(0.1);
    expect(await differences()).toBe(0);
  });

  test('takes nine files, three of them written by commands', () => {
    expect(new Set([...shown.map(({ path }) => path), ...WRITTEN]).size).toBe(9);
  });

  test('compiles', async () => expect(await compiling).toBe(''));
});
