import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { ServiceCopy } from '../support/service-copy.js';
import { endLeftovers, ServiceProcess } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { grantRights } from '../support/test-database.js';

const TIMESTAMP = 1800000009000;

/** The edits of "A new field of the record" in docs/extending.md, each before a mark or a text. */
const EDITS: readonly [file: string, mark: string, line: string][] = [
  [
    'src/sales/fields/sales-fields.ts',
    '// a new field goes here',
    "{ name: 'tips', kind: 'amount', isOptional: true },",
  ],
  [
    'src/sales/fields/hourly-sales-record.dto.ts',
    '// a new field goes here',
    "@OptionalField() @AmountField({ description: 'Tips', example: 5 }) readonly tips?: number;",
  ],
  ['src/sales/fields/hourly-sales-record.dto.ts', '  integerSchema,', '  OptionalField,'],
  [
    'src/sales/sales.entity.ts',
    '// a new field goes here',
    "@Column({ type: 'numeric' }) readonly tips!: string;",
  ],
  [
    'src/sales/sales.entity.ts',
    '// the total of a new field goes here',
    "@TotalColumn('tips') readonly totalTips!: string | null;",
  ],
  ['migrations/index.ts', '// a new migration goes here', `AddTips${TIMESTAMP},`],
];

const MIGRATION = `
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addField, dropField, FIRST_FIELDS } from './sales-history.js';

const TIPS = { name: 'tips', type: 'numeric' } as const;

export class AddTips${TIMESTAMP} implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(addField(FIRST_FIELDS, TIPS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropField(FIRST_FIELDS, TIPS));
  }
}
`;

/** Makes a copy of the service with the edits. */
function followRecipe(): ServiceCopy {
  const made = new ServiceCopy();
  for (const [file, mark, line] of EDITS) {
    const text = made.read(file);
    expect([file, text.split(mark).length]).toEqual([file, 2]);
    made.write(file, text.replace(mark, `${line}\n${mark}`));
  }
  const index = 'migrations/index.ts';
  const name = `${TIMESTAMP}-add-tips`;
  made.write(`migrations/${name}.ts`, MIGRATION);
  const imported = `import { AddTips${TIMESTAMP} } from './${name}.js';\n`;
  made.write(index, imported + made.read(index));
  made.compile();
  return made;
}

let old: TestApp;
let copy: ServiceCopy;
let renewed: ServiceProcess;
let token: string;
beforeAll(async () => {
  old = await createTestApp();
  ({ token } = await givenTill(old));
  // history that the release before has written: hours, and a correction of one
  await old.client.upload(token, [record({ hour: 10 }), record({ hour: 11 })]);
  await old.client.upload(token, [record({ hour: 10, gto: 1 })]);
  copy = followRecipe();
  expect(await copy.run(old.database.ownerUrl, 'migration', 'run')).toContain(
    `AddTips${TIMESTAMP}`,
  );
  await grantRights(old.database.ownerUrl, copy.folder);
  renewed = await ServiceProcess.start(
    {
      DATABASE_URL: old.database.url,
      JWT_SECRET: old.config.JWT_SECRET,
      MIGRATE_ON_START: 'false',
    },
    { main: copy.main },
  );
});
afterAll(async () => {
  await renewed.stop();
  endLeftovers();
  await old.close();
  copy.remove();
});

test('A new field: while an instance of the release before still writes, the ledger proves every figure', async () => {
  const { client } = renewed;
  const save = async (to: typeof client, changes: object) => {
    const { status, text } = await to.upload(token, [record({ hour: 10, ...changes })]);
    expect({ status, text }).toMatchObject({ status: 200 });
  };
  await save(client, { tips: 5 });
  await save(old.client, { gto: 2 }); // leaves the tips as they are
  await save(client, { gto: 3, hour: 12, tips: 7 });
  await save(client, { gto: 4, hour: 11 }); // a client that does not know the field
  const path = (name: string) => `/api/v1/sales/${name}?restaurant_id=101&date=2025-10-15`;
  const day = (await client.get(path('daily'), { token })).body;
  expect(day.records.map(({ hour, tips }: any) => [hour, tips])).toEqual([
    [10, 5],
    [11, 0],
    [12, 7],
  ]);
  expect(day.totals.tips).toBe(12);
  const { text } = await client.get(path('uploads'), { token });
  const changes = JSON.parse(text).uploads.flatMap((upload: any) => upload.changes);
  expect(changes.length).toBe(7);
  for (const { before, after } of changes)
    for (const figures of [before, after])
      if (figures !== null) expect(Object.values(figures)).not.toContain(null);
  const range = 'from=2025-10-15&to=2025-10-15';
  const changed = await client.get(`/api/v1/sales/changes?${range}`, { token });
  expect(changed.status).toBe(200);
  const totals = await client.get(`/api/v1/sales/totals?${range}`, { token });
  expect(totals.body.days[0].totals.tips).toBe(12);
  expect(await copy.run(old.database.url, 'sales', 'verify')).toContain(': 0 differences');
});
