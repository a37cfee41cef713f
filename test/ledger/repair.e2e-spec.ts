import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const FIGURES = 'SELECT * FROM hourly_sales ORDER BY restaurant_id, date, hour';

let service: TestApp;
let admin: CommandLine;
let token: string;
beforeAll(async () => {
  service = await createTestApp();
  admin = new CommandLine(service.app);
  ({ token } = await givenTill(service, { restaurants: [101, 102] }));
});
afterAll(() => service.close());

describe('sales repair', () => {
  beforeAll(async () => {
    await service.client.upload(token, day());
    await service.client.upload(token, [record({ gto: 7.25 })]);
    await service.client.upload(token, day({ restaurant_id: 102 }));
  });

  test('writes back what was deleted or changed, once --write is given, and records each day', async () => {
    const before = await service.database.query(FIGURES);
    const days = await service.database.query('SELECT * FROM sales_days ORDER BY restaurant_id');
    await service.database.query('DELETE FROM hourly_sales WHERE restaurant_id = 102');
    await service.database.query('UPDATE hourly_sales SET gto = 1 WHERE restaurant_id = 101 AND hour IN (11, 12)');
    await service.database.query('UPDATE sales_days SET hours = 1 WHERE restaurant_id = 101');
    const damaged = await service.database.query(FIGURES);

    const dry = await admin.run(['sales', 'repair']);
    expect(dry).toMatchObject({ status: 0, stdout: '26 hours of 2 days differ: give --write to write them back\n' });
    expect(await service.database.query(FIGURES)).toEqual(damaged);

    const written = await admin.run(['sales', 'repair', '--write']);
    expect(written.stdout).toBe('26 hours of 2 days written back from the ledger\n');
    expect(await service.database.query(FIGURES)).toEqual(before);
    expect(await service.database.query('SELECT * FROM sales_days ORDER BY restaurant_id')).toEqual(days);
    expect(await admin.run(['sales', 'verify'])).toMatchObject({ status: 0 });
    const audit = `SELECT subject, details FROM audit_log WHERE action = 'sales repair day' ORDER BY subject`;
    expect(await service.database.query(audit)).toEqual([
      { subject: 'restaurant:101', details: { date: '2025-10-15' } },
      { subject: 'restaurant:102', details: { date: '2025-10-15' } },
    ]);
  });
});

describe('Of a day that two tills uploaded, sales repair', () => {
  const figuresOf = (date: string) =>
    service.database.query('SELECT * FROM hourly_sales WHERE date = $1 ORDER BY hour', [date]);
  const dayOf = (date: string) => service.database.query('SELECT * FROM sales_days WHERE date = $1', [date]);
  const repair = async (...options: string[]): Promise<{ hours: number; left: number }> =>
    JSON.parse((await admin.run(['sales', 'repair', '--json', ...options])).stdout);
  const lose = (number: number) => (where: string) =>
    `ALTER TABLE uploads DISABLE TRIGGER USER; DELETE FROM uploads ${where} AND number = ${number};
     ALTER TABLE uploads ENABLE TRIGGER USER`;
  const hours = (change: string) => (where: string) => change.replace('WHERE', `${where} AND`);

  beforeAll(async () => {
    await service.database.query(readFileSync(join(__dirname, '../../docs/partition-by-month.sql'), 'utf8'));
    await service.database.query(`CALL prepare_sales_partitions('2026-01-01')`);
    await service.database.query(`CALL swap_in_sales_partitions('2026-01-01', 1)`);
  });

  const wholly: [string, (where: string) => string, number][] = [
    ['writes deleted hours of both', hours('DELETE FROM hourly_sales WHERE hour IN (3, 11)'), 2],
    ['writes all hours', (where) => `DELETE FROM hourly_sales ${where}`, 20],
    ['writes changed hours of both', hours('UPDATE hourly_sales SET visa = 9 WHERE hour IN (3, 11)'), 2],
    ['writes an hour said to be of another upload', hours('UPDATE hourly_sales SET upload_number = 1 WHERE hour = 11'), 1],
    ['writes the number of uploads', (where) => `UPDATE sales_days SET uploads = 1, hours = 7 ${where}`, 0],
  ]; // prettier-ignore
  const partly: [string, (where: string) => string, { hours: number; left: number }, number][] = [
    ['keeps an added hour', (where) => `INSERT INTO hourly_sales
       SELECT (jsonb_populate_record(s, '{"hour": 23}')).* FROM hourly_sales AS s ${where} AND hour = 3`, { hours: 0, left: 1 }, 21],
    ['keeps hours that were moved to another day', hours(`UPDATE hourly_sales SET date = date + 9000 WHERE hour = 3`), { hours: 1, left: 1 }, 20],
    ['keeps all where the ledger lost the last upload', lose(2), { hours: 0, left: 3 }, 20],
    ['keeps all where the ledger lost the first', lose(1), { hours: 0, left: 19 }, 20],
  ]; // prettier-ignore

  const uploadByTwo = async (date: string): Promise<string> => {
    const other = await givenTill(service, { restaurants: [101] });
    await service.client.upload(token, day({ date }).slice(0, 20));
    await service.client.upload(
      other.token,
      [10, 11].map((hour) => record({ date, hour, visa: 7.125 })),
    );
    return `WHERE restaurant_id = 101 AND date = '${date}'`;
  };

  describe.each(['2026-01', '2025-11'])('in a month of its own partition, or without: %s', (month) => {
    test.each(wholly)('%s', async (name, damage, expected) => {
      const date = `${month}-0${wholly.findIndex((row) => row[0] === name) + 1}`;
      const where = await uploadByTwo(date);
      const before = [await figuresOf(date), await dayOf(date)];
      const { left } = await repair();
      await service.database.query(damage(where));
      expect(await repair()).toMatchObject({ days: 1, hours: expected, left });
      expect(await repair('--write')).toMatchObject({ days: 1, hours: expected, left });
      expect([await figuresOf(date), await dayOf(date)]).toEqual(before);
      expect(await repair()).toMatchObject({ days: 0, hours: 0, left });
      expect((await service.client.upload(token, [record({ date })])).status).toBe(200);
    });
  });

  test.each(partly)('%s', async (name, damage, expected, stored) => {
    const date = `2026-01-2${partly.findIndex((row) => row[0] === name)}`;
    const where = await uploadByTwo(date);
    const before = await repair();
    await service.database.query(damage(where));
    const damaged = await figuresOf(date);
    const { hours: count, left } = await repair('--write');
    expect({ hours: count, left: left - before.left }).toEqual(expected);
    const after = await figuresOf(date);
    expect(after).toEqual(expect.arrayContaining(damaged));
    expect(after).toHaveLength(stored);
  });
});
