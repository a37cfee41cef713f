import { CommandLine } from '../support/command-line.js';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const FIGURES = 'SELECT * FROM hourly_sales ORDER BY restaurant_id, date, hour';

describe('sales repair', () => {
  let service: TestApp;
  let admin: CommandLine;
  beforeAll(async () => {
    service = await createTestApp();
    admin = new CommandLine(service.app);
    const { token } = await givenTill(service, { restaurants: [101, 102] });
    await service.client.upload(token, day());
    await service.client.upload(token, [record({ gto: 7.25 })]);
    await service.client.upload(token, day({ restaurant_id: 102 }));
  });
  afterAll(() => service.close());

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

  test('leaves stored hours that the ledger does not know, and counts them', async () => {
    const copied = `INSERT INTO hourly_sales SELECT (jsonb_populate_record(s, '{"date": "2025-10-20"}')).* FROM hourly_sales AS s`;
    await service.database.query(`${copied} WHERE restaurant_id = 101 AND hour < 3`);
    const { stdout } = await admin.run(['sales', 'repair', '--write', '--json']);
    expect(JSON.parse(stdout)).toEqual({ days: 0, hours: 0, left: 3, written: true });
    expect(
      await service.database.query(`SELECT count(*)::int AS left FROM hourly_sales WHERE date = '2025-10-20'`),
    ).toEqual([{ left: 3 }]);
  });
});
