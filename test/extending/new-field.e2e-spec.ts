import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SALES_FIELDS } from '../../src/sales/fields/sales-fields.js';
import { expectError } from '../support/expect-error.js';
import { givenTill, givenUser } from '../support/given.js';
import { record, without } from '../support/records.js';
import { ServiceCopy } from '../support/service-copy.js';
import { endLeftovers, ServiceProcess } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { grantRights } from '../support/test-database.js';

/** Two fields that no release has. */
const FIELDS = ['exhibit', 'specimen'] as const;
const TIMESTAMP = 1800000009000;
const GUIDE = readFileSync(join(__dirname, '../../docs/extending.md'), 'utf8');

/** The code of "A new field of the record" that begins so, for a field of this name. */
function printed(start: string, name: string): string {
  const [code, ...others] = GUIDE.split('`').filter((each) => each.startsWith(start));
  expect([start, typeof code, others]).toEqual([start, 'string', []]);
  return code!.replaceAll('tips', name).replaceAll('Tips', capital(name));
}

const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** The fields that the release has, as a migration of the next field names them. */
const DECLARED = JSON.stringify(
  SALES_FIELDS.map(({ name, kind, isOptional = false }) => {
    return { name, type: kind === 'count' ? 'integer' : 'numeric', isOptional };
  }),
);

const migrationOf = (name: string, timestamp: number, before: string): string => {
  const up = printed('await runner.query(addField', name).replace('FIRST_FIELDS', 'BEFORE');
  return `
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addField, dropField, type LedgerField } from './sales-history.js';

const FIRST_FIELDS: readonly LedgerField[] = ${DECLARED};
const BEFORE: readonly LedgerField[] = ${before};

export class Add${capital(name)}${timestamp} implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    ${up}
  }

  async down(runner: QueryRunner): Promise<void> {
    ${up.replace('addField', 'dropField')}
  }
}
`;
};

function addField(made: ServiceCopy, name: string, timestamp: number, before: string): void {
  const insert = (file: string, mark: string, line: string): void => {
    const text = made.read(file);
    expect([file, text.split(mark).length]).toEqual([file, 2]);
    made.write(file, text.replace(mark, `${line}\n${mark}`));
  };
  const field = printed("{ name: 'tips', kind", name);
  insert('src/sales/fields/sales-fields.ts', '// a new field goes here', field);
  const [index, migration] = ['migrations/index.ts', `${timestamp}-add-${name}`];
  made.write(`migrations/${migration}.ts`, migrationOf(name, timestamp, before));
  const added = `Add${capital(name)}${timestamp}`;
  insert(index, '// a new migration goes here', `${added},`);
  made.write(index, `import { ${added} } from './${migration}.js';\n${made.read(index)}`);
}

/** Makes a copy of the service with both fields. */
function followRecipe(): ServiceCopy {
  const made = new ServiceCopy();
  const [first, second] = FIELDS;
  addField(made, first, TIMESTAMP, 'FIRST_FIELDS');
  addField(made, second, TIMESTAMP + 1, printed('[...FIRST_FIELDS', first));
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
    `AddSpecimen${TIMESTAMP + 1}`,
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
  await save(client, { exhibit: 5 });
  await save(old.client, { gto: 2 }); // leaves the new fields as they are
  await save(client, { gto: 3, hour: 12, exhibit: 7, specimen: 1 });
  await save(client, { gto: 4, hour: 11 }); // a client that does not know the field
  const path = (name: string) => `/api/v1/sales/${name}?restaurant_id=101&date=2025-10-15`;
  const day = (await client.get(path('daily'), { token })).body;
  expect(day.records.map(({ hour, exhibit, specimen }: any) => [hour, exhibit, specimen])).toEqual([
    [10, 5, 0],
    [11, 0, 0],
    [12, 7, 1],
  ]);
  expect(day.totals).toMatchObject({ exhibit: 12, specimen: 1 });
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
  expect(totals.body.days[0].totals).toMatchObject({ exhibit: 12, specimen: 1 });
  expect(await copy.run(old.database.url, 'sales', 'verify')).toContain(': 0 differences');
});

test('A new field: the types of the service and of the page are right without a further edit', () => {
  const run = (program: string, ...args: string[]): string => {
    const path = join(copy.folder, 'node_modules', program);
    const options = { cwd: copy.folder, encoding: 'utf8' } as const;
    return spawnSync(process.execPath, [path, ...args], options).stdout;
  };
  const withoutEmit = ['--noEmit', '--incremental', 'false'];
  expect(run('typescript/bin/tsc', '-p', 'tsconfig.build.json', ...withoutEmit)).toBe('');
  expect(run('typescript/bin/tsc', '-p', 'web')).toBe('');
});

test('A new field: a profile of files may leave it out, and no other', async () => {
  const office = await givenUser(old, { all_restaurants: true });
  const options = { token: await old.client.token(office, 'right password') };
  const file = join(__dirname, '../sales/formats/profiles.json');
  const profile = JSON.parse(readFileSync(file, 'utf8'))['26-sales'];
  const put = (fields: object) => {
    const body = { profile: { ...profile, fields } };
    return renewed.client.put('/api/v1/sales/file-profiles/till', body, options);
  };
  for (const specimen of [undefined, null, 'Specimen'])
    expect((await put({ ...profile.fields, specimen })).status).toBe(200);
  expectError(
    await put(without(profile.fields, 'other')),
    400,
    /profile\.fields\.other is missing/,
  );
});
