import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { CreateCashCounts1800000001000 } from '../../examples/cash-counts/1800000001000-create-cash-counts.js';
import { CashCountsConfig } from '../../examples/cash-counts/cash-counts.config.js';
import { CashCountsModule } from '../../examples/cash-counts/cash-counts.module.js';
import { CreateSalesTargets1800000000000 } from '../../examples/sales-targets/1800000000000-create-sales-targets.js';
import { SalesTargetsModule } from '../../examples/sales-targets/sales-targets.module.js';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { TOPICS } from '../../src/config/config.js';
import { Housekeeping } from '../../src/database/housekeeping.js';
import { ClosuresService } from '../../src/restaurants/closures/closures.service.js';
import { documentGaps } from '../openapi/documentation-gaps.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill, givenUser } from '../support/given.js';
import { documentOf, servedRoutes } from '../support/openapi.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';
import { timed } from '../support/time-limits.js';

const MIGRATIONS = [new CreateSalesTargets1800000000000(), new CreateCashCounts1800000001000()];
const TABLES = 'sales_targets, cash_counts, cash_count_lines, cash_count_auditors';
/** The modules of examples/, as docs/extending.md shows them, in the real application. */
const parts = { imports: [SalesTargetsModule, CashCountsModule] };

/** A module of the service that has the name of an example has its tables and routes, too. */
const areTaken = ['sales-targets', 'cash-counts'].some((name) =>
  existsSync(join(__dirname, '../../src', name)),
);

(areTaken ? describe.skip : describe)('The examples', () => {
  let service: TestApp;
  let token: string;

  beforeAll(async () => {
    // a module of src/ adds this line to src/config/config.ts
    (TOPICS as (new () => object)[]).push(CashCountsConfig);
    const database = await createTestDatabase();
    const source = await new DataSource({ type: 'postgres', url: database.ownerUrl }).initialize();
    const runner = source.createQueryRunner();
    for (const migration of MIGRATIONS) await migration.up(runner);
    for (const migration of [...MIGRATIONS].reverse()) await migration.down(runner);
    for (const migration of MIGRATIONS) await migration.up(runner); // `down` left nothing
    await source.destroy();
    await database.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${TABLES} TO sales_service`);
    service = await createTestApp({}, database, parts);
    ({ token } = await givenTill(service, { restaurants: [101, 102, 103] }));
    await givenRestaurant(service, 999); // exists, and is not granted: only the grants refuse it
  });
  afterAll(async () => {
    TOPICS.pop();
    await service.close();
  });

  const get = (path: string) => service.client.get(`/api/v1/${path}`, { token });
  const put = (path: string, body: unknown) =>
    service.client.put(`/api/v1/cash-counts/${path}`, body, { token });
  const countOf = (...amounts: [string, number][]) => ({
    lines: amounts.map(([drawer, amount]) => ({ drawer, amount, kind: 'till' })),
  });

  const rowsOf999 = async (table: string): Promise<number> => {
    const sql = `SELECT count(*) FROM ${table} WHERE restaurant_id = 999`;
    return (await service.database.query<{ count: number }>(sql))[0]!.count;
  };

  test('their routes and fields are described as those of the service', async () => {
    expect(documentGaps(await documentOf(service), servedRoutes(service))).toEqual([]);
  });

  describe('sales-targets', () => {
    const create = (body: unknown) => service.client.post('/api/v1/sales-targets', body, { token });

    test('201, then 409; 200 for what was created, 404 for what was not', async () => {
      const target = { restaurant_id: 101, amount: 12500.5 };
      const { status, body } = await create(target);
      expect([status, body]).toEqual([201, { ...target, state: 'proposed' }]);
      expectError(
        await create({ restaurant_id: 101, amount: 1 }),
        409,
        /101 has a sales target already/,
      );
      const read = await get('sales-targets/101');
      expect([read.status, read.body]).toEqual([200, { ...target, state: 'proposed' }]);
      expectError(await get('sales-targets/103'), 404, /restaurant 103/);
    });

    test('400 names every fault; 401 and 403 without a token or a grant', async () => {
      expectError(await create({ amount: 0.001 }), 400, /restaurant_id is missing; amount must be/);
      expectError(await get('sales-targets/x'), 400, /restaurant_id must be an integer/);
      expectError(await create({ restaurant_id: 999, amount: 1 }), 403, /restaurant 999/);
      expect(await rowsOf999('sales_targets')).toBe(0);
      expectError(await service.client.post('/api/v1/sales-targets', {}), 401);
    });

    test('a list has pages, and only what its reader may see', async () => {
      await create({ restaurant_id: 102, amount: 7 });
      const other = await givenTill(service, { restaurants: [104] });
      const foreign = await service.client.get('/api/v1/sales-targets', other);
      expect(foreign.body).toEqual({ sales_targets: [], next: null });
      const first = (await get('sales-targets?limit=1')).body;
      expect(first.sales_targets).toHaveLength(1);
      const second = (await get(`sales-targets?limit=1&after=${first.next}`)).body;
      const proposed = { restaurant_id: 102, amount: 7, state: 'proposed' };
      expect(second).toEqual({ sales_targets: [proposed], next: null });
    });

    test('head office works off what is proposed; 403 for others, 409 the second time', async () => {
      const username = await givenUser(service, { all_restaurants: true });
      const office = { token: await service.client.token(username, 'right password') };
      const approve = (caller: { token: string }) =>
        service.client.post('/api/v1/sales-targets/102/approve', {}, caller);
      expectError(await approve({ token }), 403, /only a user of all restaurants/);
      expect((await approve(office)).body).toMatchObject({ state: 'approved' });
      expectError(await approve(office), 409, /102 is approved already/);
      const left = await service.client.get('/api/v1/sales-targets?state=proposed', office);
      expect(left.body.sales_targets).toEqual([
        { restaurant_id: 101, amount: 12500.5, state: 'proposed' },
      ]);
    });
  });

  describe('cash counts', () => {
    test('201 for a new day, 200 for its correction, with an exact total and a note', async () => {
      const first = await put('101/2025-10-15', countOf(['bar', 0.1], ['door', 0.2]));
      expect(first.status).toBe(201);
      const bar = { drawer: 'bar', amount: 0.1, kind: 'till', note: 'with a voucher' };
      const lines = [bar, { drawer: 'vault', amount: 0.7, kind: 'safe' }];
      const { status, body } = await put('101/2025-10-15', { lines });
      expect([status, body.total]).toEqual([200, 0.8]);
      expect((await get('cash-counts/101/2025-10-15')).body.lines).toEqual(lines);
    });

    test('writers of one day wait for each other: no count mixes two', async () => {
      const counts = Array.from({ length: 8 }, (_, index) =>
        countOf([`a${index}`, index], [`b${index}`, index]),
      );
      const answers = await Promise.all(counts.map((count) => put('102/2025-10-15', count)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const { lines } = (await get('cash-counts/102/2025-10-15')).body;
      expect(counts.map((count) => count.lines)).toContainEqual(lines);
    });

    test('400 for a faulty count, a day to come and a closed one; 403; 404', async () => {
      const closure = { firstDay: '2026-01-01', lastDay: null, reason: null };
      await service.app.get(ClosuresService).close([102], closure);
      const drawers = Array.from({ length: 21 }, (_, index): [string, number] => [`d${index}`, 1]);
      for (const [status, path, count, text] of [
        [400, '101/2025-10-16', countOf(['bar', 1], ['bar', 2]), /drawer/],
        [400, '101/2025-10-16', countOf(...drawers), /at most 20 drawers/],
        [
          400,
          '101/2025-10-16',
          { lines: [{ drawer: 'x', amount: 1, kind: 'tin' }] },
          /kind must be .+till/,
        ],
        [400, '101/2999-01-01', countOf(['bar', 1]), /2999-01-01.*future/],
        [400, '102/2026-01-01', countOf(['bar', 1]), /102 is closed/],
        [403, '999/2025-10-16', countOf(['bar', 1]), /restaurant 999/],
      ] as const)
        expectError(await put(path, count), status, text);
      expect(await rowsOf999('cash_counts')).toBe(0);
      expectError(await get('cash-counts/101/2020-01-01'), 404, /not counted on 2020-01-01/);
    });

    test('a cursor of day and drawer leads through the lines', async () => {
      const october = 'cash-counts?restaurant_id=103&from=2025-10-01&to=2025-10-31';
      await put('103/2025-09-30', countOf(['z', 9]));
      await put('103/2025-10-14', countOf(['x', 1], ['y', 2]));
      await put('103/2025-10-15', countOf(['a', 3]));
      const seen: string[] = [];
      for (let after = ''; ;) {
        const { lines, next } = (await get(`${october}&limit=2${after}`)).body;
        seen.push(...lines.map((line: any) => `${line.date} ${line.drawer} ${line.amount}`));
        if (next === null) break;
        after = `&after=${encodeURIComponent(next)}`;
      }
      expect(seen).toEqual(['2025-10-14 x 1', '2025-10-14 y 2', '2025-10-15 a 3']);
      expectError(await get(`${october}&after=x`), 400, /after must be/);
      const [ofX, ...others] = (await get(`${october}&drawer=x`)).body.lines;
      expect([ofX.date, others]).toEqual(['2025-10-14', []]);
      const reversed = october.replace('2025-10-01', '2025-11-01');
      expectError(await get(reversed), 400, /must not be before/);
    });

    test('204, then 404: a count is deleted, and the audit log has it', async () => {
      await put('101/2025-10-20', countOf(['bar', 1]));
      const remove = () => service.client.delete('/api/v1/cash-counts/101/2025-10-20', { token });
      expect(await remove()).toMatchObject({ status: 204, text: '' });
      expectError(await remove(), 404);
      const events = await service.database.query<{ action: string }>(
        `SELECT action FROM audit_log WHERE details ->> 'date' = '2025-10-20' ORDER BY id`,
      );
      expect(events.map(({ action }) => action)).toEqual(['cash count save', 'cash count delete']);
    });

    const putCsv = (path: string, csv: string, type = 'text/csv') =>
      service.client.put(`/api/v1/cash-counts/${path}/csv`, csv, {
        token,
        headers: { 'Content-Type': type },
      });

    test('204: a file of CSV replaces a day, all or nothing; 400 names line and column', async () => {
      const csv = '\uFEFFdrawer,amount,kind,note\r\nbar,312.40,,"a, b"\r\nvault,1,safe,\r\n';
      expect((await putCsv('101/2025-10-21', csv)).status).toBe(204);
      const { lines } = (await get('cash-counts/101/2025-10-21')).body;
      expect(lines).toEqual([
        { drawer: 'bar', amount: 312.4, kind: 'till', note: 'a, b' },
        { drawer: 'vault', amount: 1, kind: 'safe' },
      ]);
      const wrong = await putCsv('101/2025-10-21', 'drawer,amount\nbar,1\ndesk,"1,5"\n');
      expectError(wrong, 400, /lines\[1]\.amount must be a number/);
      expectError(await putCsv('101/2025-10-21', '{}', 'application/json'), 415, /as text\/csv/);
      expectError(await putCsv('101/2025-10-21', 'x'.repeat(100_001)), 413);
      expect((await get('cash-counts/101/2025-10-21')).body.lines).toEqual(lines);
    });

    test('403 but for an auditor, whom a command makes: all counts as CSV', async () => {
      await put('102/2025-10-22', countOf(['a', 3]));
      const auditor = await givenTill(service, { restaurants: [] });
      const path = '/api/v1/cash-counts/export?from=2025-10-22&to=2025-10-22';
      const exported = () => service.client.get(path, auditor);
      expectError(await exported(), 403, /only auditors/);
      const command = new CommandLine(service.app);
      await command.run(['cash-count', 'auditor', auditor.username]);
      const { status, headers, text } = await exported();
      expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv']);
      expect(headers.get('Content-Disposition')).toBe('attachment; filename="cash-counts.csv"');
      expect(text).toMatch(/^restaurant_id,.+\n102,2025-10-22,a,3\.00,till,\n$/);
      await command.run(['cash-count', 'auditor', auditor.username, '--remove']);
      expectError(await exported(), 403);
    });

    test('events say who has counted today, again after a change, and nothing of others', async () => {
      const date = service.app.get(BusinessCalendar).today();
      const events = service.client.events('/api/v1/cash-counts/today', { token });
      expect((await events.next()).value).toEqual({ date, restaurant_ids: [] });
      await put(`103/${date}`, countOf(['a', 1]));
      expect((await events.next()).value).toEqual({ date, restaurant_ids: [103] });
      const other = await givenTill(service, { restaurants: [104] });
      const others = service.client.events('/api/v1/cash-counts/today', other);
      expect((await others.next()).value).toEqual({ date, restaurant_ids: [] });
      for (const each of [events, others]) await each.return(undefined);
    });

    test('the stream is never silent for as long as the proxies of deploy/ wait', async () => {
      const proxy = (file: string): string =>
        readFileSync(join(__dirname, '../../deploy', file), 'utf8');
      const [, nginx] = /proxy_read_timeout (\d+)s/.exec(proxy('nginx/sales-upload-server.conf'))!;
      const [, haproxy] = /timeout server (\d+)s/.exec(proxy('haproxy/sales-upload.cfg'))!;
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(`${service.url}/api/v1/cash-counts/today`, { headers });
      const { ms } = await timed(async () => {
        let received = '';
        for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
          received += text;
          if (received.includes(': still here\n')) break;
        }
      });
      expect(ms).toBeLessThan(Math.min(Number(nginx), Number(haproxy)) * 1000);
    });

    test('the command prints CSV; the clean-up deletes what is too old', async () => {
      await put('101/2001-01-01', countOf(['old', 1]));
      const command = new CommandLine(service.app);
      const exported = async (...options: string[]): Promise<string> => {
        const days = ['--from', '2000-01-01', '--to', '2001-12-31'];
        return (await command.run(['cash-count', 'export', ...days, ...options])).stdout;
      };
      const head = 'restaurant_id,date,drawer,amount,kind,note\n';
      expect(await exported()).toBe(`${head}101,2001-01-01,old,1.00,till,\n`);
      expect(await exported('--restaurant', '102')).toBe(head);
      await service.app.get(Housekeeping).run();
      expect(await exported()).toBe(head);
    });
  });
});
