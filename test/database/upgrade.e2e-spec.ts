import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { migrations } from '../../migrations/index.js';
import { dataSourceOptions } from '../../src/database/connections.js';
import { migrate } from '../../src/database/migrate.js';
import { CommandLine } from '../support/command-line.js';
import { record } from '../support/records.js';
import { createTestApp, testConfig, type TestApp } from '../support/test-app.js';
import { createTestDatabase, grantRights } from '../support/test-database.js';

/** The latest migration of the release before. */
const PREVIOUS = 'LightenUploads1763700030000';

let service: TestApp;
let history: unknown[];
beforeAll(async () => {
  const database = await createTestDatabase('template0');
  const config = testConfig({ DATABASE_URL: database.ownerUrl });
  const released = migrations.slice(0, migrations.findIndex(({ name }) => name === PREVIOUS) + 1);
  const source = await new DataSource({ ...dataSourceOptions(config), migrations: released }).initialize();
  expect((await source.runMigrations()).at(-1)!.name).toBe(PREVIOUS);
  await source.destroy();
  await database.query(readFileSync(join(__dirname, 'previous-release.sql'), 'utf8'));
  const changes = `SELECT hour, upload_number, replaced_upload_number, gto_before, gto_after, other_after, orders_after
    FROM sales_history ORDER BY restaurant_id, upload_number, hour`;
  history = await database.query(changes);
  await migrate(config);
  await grantRights(database.ownerUrl);
  expect(await database.query(changes)).toEqual(history);
  service = await createTestApp({}, database);
});
afterAll(() => service.close());

const verify = async () => (await new CommandLine(service.app).run(['sales', 'verify', '--json'])).stdout;

describe('On the tables of the release before', () => {
  test('the figures are what the ledger says', async () => {
    expect(history).toHaveLength(24 + 1 + 2);
    expect(JSON.parse(await verify())).toMatchObject({ days: 2, differences: 0 });
  });

  test('its users log in, read back what they sent, and correct it', async () => {
    const { client } = service;
    const token = await client.token('till', 'right password');
    const path = '/api/v1/sales/daily?restaurant_id=101&date=2025-10-15';
    const { records } = (await client.get(path, { token })).body;
    expect(records).toHaveLength(24);
    expect(records[13]).toMatchObject({ hour: 13, orders: 7, gto: 0.1, other: 99999999999.9999 });
    expect((await client.upload(token, [record({ hour: 13, gto: 0.2 })])).body.processed).toBe(1);
    expect((await client.get(path, { token })).body.records[13].gto).toBe(0.2);
    expect(JSON.parse(await verify())).toMatchObject({ days: 2, differences: 0 });
  });
});
