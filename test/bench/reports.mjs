import { logIn } from '../drills/load.mjs';
import { query } from '../drills/postgres.mjs';
import { until } from '../drills/programs.mjs';
import { percentile } from './measuring.mjs';

const RESTAURANTS = 1000;
const DAY_MS = 86_400_000;

/** Variants of a day, which the restaurants have in turn. */
const VARIANTS = 500;

/** One day in twenty was corrected. */
const CORRECTED = 20;

/** Reads of a user of all restaurants: the days of the range, and the milliseconds of the goal. */
const READS = [
  ['totals by date', 'totals', 35, 100],
  ['totals by restaurant', 'totals?group_by=restaurant', 35, 100],
  ['totals by hour', 'totals?group_by=hour', 35, 800],
  ['totals by weekday and hour', 'totals?group_by=weekday_hour', 35, 800],
  ['totals by date', 'totals', 366, 1000],
  ['totals by restaurant', 'totals?group_by=restaurant', 366, 1000],
  ['calendar', 'calendar', 35, 100],
  ['missing days', 'missing', 35, 100],
  ['changes', 'changes', 31, 100],
];

/** Reports of a chain with its whole history, beside the same of restaurants without any. */
export async function reports(stage) {
  const rows = [];
  for (const version of stage.versions) {
    const figures = {};
    for (const kind of ['empty', 'chain']) {
      const url = await stage.database(version, `reports_${kind}`, { restaurants: RESTAURANTS });
      if (kind === 'chain') await fill(url, stage.options.days);
      const service = await stage.start(version, url, { RESPONSE_TIMEOUT_MS: '60000' });
      const token = await logIn(service, 'head-office');
      if (kind === 'chain') await keepTotals(url, service, token);
      figures[kind] = [];
      for (const read of READS) figures[kind].push(await measure(stage, service, token, read));
      await service.stop();
    }
    rows.push(
      ...READS.map(([report, , days, goal], at) => ({
        contestant: version.name,
        report,
        days,
        'empty ms': figures.empty[at],
        ms: figures.chain[at],
        'of the empty': figures.chain[at] / figures.empty[at],
        'of its goal': figures.chain[at] / goal,
      })),
    );
  }
  return rows;
}

/** Fills in some days of every restaurant as uploads would have left them. */
async function fill(url, days) {
  const [{ figures }] = await query(
    url,
    `SELECT string_agg(column_name::text, ', ' ORDER BY ordinal_position) AS figures
     FROM information_schema.columns
     WHERE table_name = 'hourly_sales'
       AND column_name NOT IN ('restaurant_id', 'date', 'hour', 'upload_number')`,
  );
  const names = figures.split(', ');
  const amount = (name) =>
    /^(orders|pax)$/.test(name)
      ? '(random() * 90)::integer'
      : 'round((random() * 4000)::numeric, 2)';
  const arrays = ['hour', ...names].map((name) => `'${name}', json_agg(${name} ORDER BY hour)`);
  await query(
    url,
    `CREATE UNLOGGED TABLE variant_hours AS
       SELECT v, h::smallint AS hour, ${names.map((name) => `${amount(name)} AS ${name}`).join()}
       FROM generate_series(0, ${VARIANTS - 1}) AS v, generate_series(0, 23) AS h;
     CREATE UNLOGGED TABLE variants AS
       SELECT v, json_build_object(${arrays.join()}) AS records FROM variant_hours GROUP BY v;
     ANALYZE variants, variant_hours`,
  );
  for (let day = 0; day < days; day++) {
    if (day % 50 === 0) process.stderr.write(`reports, day ${day} of ${days}\n`);
    const date = `DATE '${dateBefore(days - day)}'`;
    const of = (table) => `restaurants JOIN ${table} ON v = (id * 31 + ${day} * 7) % ${VARIANTS}`;
    const isCorrected = `(id + ${day}) % ${CORRECTED} = 0`;
    const uploads = `CASE WHEN ${isCorrected} THEN 2 ELSE 1 END`;
    await query(
      url,
      `INSERT INTO sales_days (restaurant_id, date, uploads, hours, hours_before, last_uploaded_at)
         SELECT id, ${date}, ${uploads}, 16777215, 0, ${date} + ${uploads} FROM restaurants;
       INSERT INTO uploads (restaurant_id, date, number, user_id, client_address, uploaded_at, processed,
           changed_hours, replaced_hours, records)
         SELECT id, ${date}, number, 1, '203.0.113.7', ${date} + number, 24, 16777215,
           CASE WHEN number = 1 THEN 0 ELSE 16777215 END, records
         FROM ${of('variants')} JOIN generate_series(1, 2) AS number ON number = 1 OR ${isCorrected};
       INSERT INTO hourly_sales (restaurant_id, date, hour, ${figures}, upload_number)
         SELECT id, ${date}, hour, ${figures}, ${uploads}
         FROM ${of('variant_hours')}`,
    );
  }
  await query(url, 'ANALYZE sales_days, uploads, hourly_sales');
}

/** A first report lets the service store the totals of all days, as housekeeping would. */
async function keepTotals(url, service, token) {
  await read(service, token, ['', 'totals', 35]);
  const missing = 'SELECT FROM sales_days WHERE totals_upload IS NULL LIMIT 1';
  const areKept = async () => (await query(url, missing)).length === 0;
  await until(areKept, 'the totals to be stored', 1_800_000);
  await query(url, 'VACUUM ANALYZE sales_days');
}

/** The median of some reads, one after the other. */
async function measure(stage, service, token, report) {
  const times = [];
  for (let round = 0; round < 3 + 4 * stage.options.rounds; round++) {
    const begin = performance.now();
    await read(service, token, report);
    times.push(performance.now() - begin);
  }
  return percentile(times.slice(3), 0.5); // the first ones warm it up
}

/** Asks for the last days of the history, which ends yesterday. */
async function read({ port }, token, [, path, days]) {
  const range = `from=${dateBefore(days)}&to=${dateBefore(1)}`;
  const url = `http://127.0.0.1:${port}/api/v1/sales/${path}${path.includes('?') ? '&' : '?'}${range}`;
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
}

function dateBefore(days) {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}
