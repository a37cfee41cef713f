import type { Page } from 'playwright-core';
import { BusinessCalendar } from '../../src/calendar/business-calendar.js';
import { ClosuresService } from '../../src/restaurants/closures/closures.service.js';
import { loadFixtures } from '../../src/testing/load-fixtures.js';
import { day, record } from '../support/records.js';
import { says, startWeb } from './web-page.js';

/** The browser is in another zone and speaks another language than the service. */
const web = startWeb({ TIME_ZONE: 'Asia/Singapore' });
const BROWSER = { timezoneId: 'America/New_York', locale: 'de-DE' };

const TODAY = '2025-10-16';
const YESTERDAY = '2025-10-15';
const WEEK_BEFORE = '2025-10-08';
const EMOJI = `${'👨‍👩‍👧‍👦 Familienküche '.repeat(5)}👩🏽‍🍳`;

/** Restaurants that are not ideal, as the situations in which a page says what is not true. */
const NAMES = {
  701: 'Always complete',
  702: 'Partial yesterday',
  703: 'Five days missing',
  704: 'Never sent',
  705: 'Closed since Monday',
  706: 'Closed and sent all the same',
  707: 'Opened yesterday',
  708: 'Lunch and dinner only',
  709: EMOJI,
  710: 'Of another group',
} as const;
const OURS = Object.keys(NAMES).map(Number).filter((id) => id !== 710); // prettier-ignore
/** More restaurants than the service takes in one request. */
const MANY = Array.from({ length: 150 }, (_, index) => 2001 + index);

const sql = <Row>(text: string): Promise<Row[]> => web.service.database.query<Row>(text);

beforeAll(async () => {
  const { app, client, database } = web.service;
  jest.spyOn(app.get(BusinessCalendar), 'today').mockReturnValue(TODAY);
  const restaurants = [
    ...Object.entries(NAMES).map(([id, name]) => ({ restaurant_id: Number(id), name })),
    ...MANY.map((id) => ({ restaurant_id: id, name: `Restaurant ${id}` })),
  ];
  const password = 'right password';
  await loadFixtures(app, {
    restaurants,
    users: [
      { username: 'office', password, restaurant_ids: OURS },
      { username: 'group', password, all_restaurants: true },
    ],
  });
  const lunchAndDinner = 0b0011_1111_1111_1000_0000_0000; // 11:00 to 22:00
  await database.query(`UPDATE restaurants SET weekly_hours = array_fill(${lunchAndDinner}, ARRAY[7]) WHERE id = 708`); // prettier-ignore
  await database.query(`UPDATE restaurants SET first_day = '${YESTERDAY}' WHERE id = 707`);
  const token = await client.token('group', password);
  const upload = (records: object[]) => web.upload(token, records);
  for (const id of [701, 706, 709]) {
    await upload(day({ restaurant_id: id }));
    await upload(day({ restaurant_id: id, date: WEEK_BEFORE, gto: 90.05 }));
  }
  await upload(day({ restaurant_id: 702 }).slice(0, 18));
  await upload(day({ restaurant_id: 702, date: WEEK_BEFORE }));
  await upload(day({ restaurant_id: 703, date: '2025-10-10' }));
  await upload(day({ restaurant_id: 703, date: WEEK_BEFORE }));
  await upload(day({ restaurant_id: 707 }));
  for (const date of [YESTERDAY, WEEK_BEFORE])
    await upload(day({ restaurant_id: 708, date }).slice(11, 22));
  await upload(day({ restaurant_id: 710 }));
  for (const id of MANY) await upload([record({ restaurant_id: id, gto: id / 100 })]);
  const closures = app.get(ClosuresService);
  for (const id of [705, 706])
    await closures.close([id], { firstDay: '2025-10-13', lastDay: null, reason: 'Renovation' });
});

const open = async (view: string, username = 'office'): Promise<Page> => {
  const { page } = await web.open(view, { username, ...BROWSER });
  return page;
};

const tile = async (page: Page, label: string): Promise<string> => {
  const found = page.locator('.tiles > div', { has: page.getByText(label, { exact: true }) });
  await found.waitFor();
  return (await found.innerText()).replace(/\s+/g, ' ');
};

const sumOf = async (field: string, where: string): Promise<number> => {
  const [row] = await sql<{ sum: string }>(`SELECT coalesce(sum(${field}), 0) AS sum FROM hourly_sales WHERE ${where}`); // prettier-ignore
  return Number(row!.sum);
};

const amount = (value: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 });

test('who is missing: closed, new and never-seen restaurants are told apart, since when and last sent', async () => {
  const page = await open('');
  const missing = page.getByRole('region', { name: 'Missing', exact: true });
  await missing.getByText('18:00 to 24:00').waitFor();
  const text = (await missing.innerText()).replace(/\s+/g, ' ');
  // Of nine restaurants, two are closed.
  expect(text).toContain('2 of 7 restaurants have not sent yesterday, 1 has sent only a part');
  expect(text).toMatch(
    /Never sent 704 everything before .* never .* Five days missing 703 everything Sat 11 Oct 2025 5 Fri 10 Oct 2025/,
  );
  expect(text).not.toMatch(/Closed|Opened yesterday|Lunch/);
});

test('sum and count have one base: what stands on the screen is what SQL adds up', async () => {
  const page = await open('sales?period=yesterday');
  const where = `date = '${YESTERDAY}' AND restaurant_id IN (${OURS.join()})`;
  for (const [label, field] of [
    ['Turnover', 'gto'],
    ['GST', 'gst'],
    ['Discount', 'discount'],
  ])
    // prettier-ignore
    expect(await tile(page, label!)).toContain(amount(await sumOf(field!, where)));
  const [{ restaurants, hours } = { restaurants: '', hours: '' }] =
    await sql<{ restaurants: string; hours: string }> // prettier-ignore
    (
      `SELECT count(DISTINCT restaurant_id) AS restaurants, count(*) AS hours FROM hourly_sales WHERE ${where}`,
    );
  await says(
    page,
    `${hours} hours sent by ${restaurants} of 9 restaurants, 54 of 155 expected hours missing`,
  );
});

test('a comparison names both ranges as dates, and compares the same restaurants', async () => {
  const page = await open('');
  // Complete on both days: 701, 708 and 709; 706 sent on both, but was closed on one of them.
  const alike = 'restaurant_id IN (701, 708, 709)';
  const [now, then] = [await sumOf('gto', `date = '${YESTERDAY}' AND ${alike}`), await sumOf('gto', `date = '${WEEK_BEFORE}' AND ${alike}`)]; // prettier-ignore
  await says(page, 'Wed 15 Oct 2025, compared with Wed 8 Oct 2025');
  await says(page, `Changes are like for like: 3 restaurants complete in both periods, turnover ${amount(now)}, was ${amount(then)}`); // prettier-ignore
  await says(page, '1 restaurant left out, closed or not yet open for more of one period than of the other'); // prettier-ignore
  const percent = ((now / then - 1) * 100).toFixed(1);
  expect(await tile(page, 'Turnover')).toContain(`+${percent}%`);
  await web.show(page, 'sales?from=2025-10-01&to=2025-10-31&compare=before');
  await says(page, 'Wed 1 Oct 2025 to Fri 31 Oct 2025 (31 days), compared with Mon 1 Sep 2025 to Tue 30 Sep 2025'); // prettier-ignore
});

test('hours that have not happened yet are not called missing', async () => {
  const page = await open(`sales?from=${YESTERDAY}&to=${TODAY}&restaurants=701`);
  await says(page, '24 hours sent, 24 of 48 expected hours missing or still to come');
  await web.show(page, `sales?from=${TODAY}&to=${TODAY}&restaurants=701,702`);
  await page.getByText('24 of 24 not sent yet').first().waitFor();
  expect(await page.locator('.chip.warn').count()).toBe(0);
});

test('what may not be seen is said, and nothing is shown in its place', async () => {
  const page = await open(`sales?from=${YESTERDAY}&to=${YESTERDAY}&restaurants=701,710`);
  await says(page, 'This link is about 1 restaurant that your account may not see or that does not exist (710). What is shown is without them.'); // prettier-ignore
  expect(await tile(page, 'Turnover')).toContain(amount(await sumOf('gto', `date = '${YESTERDAY}' AND restaurant_id = 701`))); // prettier-ignore
  await web.show(page, `sales?from=${YESTERDAY}&to=${YESTERDAY}&restaurants=710`);
  await says(page, 'Nothing is shown.');
  expect(await page.locator('.tiles').count()).toBe(0);
  await web.show(page, `day/710/${YESTERDAY}`);
  await says(page, 'Your account may not see restaurant 710, or it does not exist.');
  expect(await page.getByText('Loading').count()).toBe(0);
  await web.show(page, 'dya/701');
  await says(page, 'There is no view at this address. Today is shown instead.');
});

test('150 chosen restaurants are too many: no limit is silent', async () => {
  const page = await open(`sales?from=${YESTERDAY}&to=${YESTERDAY}&restaurants=${MANY.join()}`, 'group'); // prettier-ignore
  await says(page, 'A view shows all restaurants or at most 100 chosen ones; these are 150.');
  expect(await page.locator('.tiles').count()).toBe(0);
  const few = MANY.slice(0, 100);
  await web.show(page, `sales?from=${YESTERDAY}&to=${YESTERDAY}&restaurants=${few.join()}`);
  const where = `date = '${YESTERDAY}' AND restaurant_id IN (${few.join()})`;
  expect(await tile(page, 'Turnover')).toContain(amount(await sumOf('gto', where)));
  await says(page, '100 hours sent by 100 restaurants');
  await page.getByText('Restaurants 100 of 160').waitFor();
});

test('one zone, the service’s and named; English dates and numbers in a German browser of New York', async () => {
  const page = await open(`day/701/${YESTERDAY}`);
  const [{ at } = { at: '' }] = await sql<{ at: string }>(
    `SELECT to_char(uploaded_at AT TIME ZONE 'Asia/Singapore', 'HH24:MI') AS at FROM uploads WHERE restaurant_id = 701 AND date = '${YESTERDAY}'`,
  );
  const uploads = page.locator('.card', { has: page.getByRole('heading', { name: 'Uploads' }) });
  await uploads.waitFor();
  expect(await uploads.innerText()).toContain(`${at}, group`);
  expect(await uploads.innerText()).toContain('times of Singapore');
  for (const view of ['', 'sales', 'days', 'changes', `day/701/${YESTERDAY}`]) {
    await web.show(page, view);
    await page.locator('.card').first().waitFor();
    const text = await page.locator('body').innerText();
    expect(text).not.toMatch(/Mittwoch|Oktober|Okt\b|\bMi\b|\d\.\d{3},\d\d/);
  }
});

test('a long name is cut by CSS alone, and its emoji stay whole', async () => {
  const page = await open('days');
  const name = page.getByRole('rowheader', { name: '👨‍👩‍👧‍👦' });
  await name.waitFor();
  expect(await name.locator('.cut').textContent()).toBe(EMOJI);
  expect(await name.locator('.name').getAttribute('title')).toBe(`${EMOJI} (709)`);
  expect((await name.boundingBox())!.height).toBeLessThan(40); // one line
});

test('an error speaks to people, and the page tries again by itself', async () => {
  const { page } = await web.open('', BROWSER);
  const body = JSON.stringify({ error: 'internal server error: send the request again later' });
  let failures = 0;
  await page.route('**/sales/missing?**', async (route) => {
    if (failures++ > 1) await route.continue();
    else await route.fulfill({ status: 500, contentType: 'application/json', body });
  });
  await page.getByLabel('Username').fill('office');
  await page.getByLabel('Password').fill('right password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const alert = page
    .getByRole('alert')
    .filter({ hasText: 'The service could not answer just now.' });
  await alert.waitFor();
  expect(await alert.innerText()).toContain('The page tries again by itself.');
  expect(await alert.innerText()).not.toContain('send the request');
  await page.getByRole('region', { name: 'Missing', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});

test('new, closed and never-seen restaurants in the grid of sent days', async () => {
  const page = await open('days');
  const state = (id: keyof typeof NAMES, date: string) =>
    page
      .getByRole('row', { name: NAMES[id] })
      .getByRole('link', { name: new RegExp(`^${date} `) })
      .getAttribute('aria-label');
  expect(await state(707, 'Tue 14 Oct 2025')).toBe('Tue 14 Oct 2025 closed');
  expect(await state(707, 'Wed 15 Oct 2025')).toBe('Wed 15 Oct 2025 complete');
  expect(await state(705, 'Wed 15 Oct 2025')).toBe('Wed 15 Oct 2025 closed');
  expect(await state(706, 'Wed 15 Oct 2025')).toBe('Wed 15 Oct 2025 complete');
  expect(await state(708, 'Wed 15 Oct 2025')).toBe('Wed 15 Oct 2025 complete');
  expect(await state(704, 'Wed 15 Oct 2025')).toBe('Wed 15 Oct 2025 missing');
});
