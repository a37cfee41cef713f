import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { givenTill } from '../support/given.js';
import { day, record } from '../support/records.js';
import { says, signIn, startWeb } from './web-page.js';

const web = startWeb();

describe('A day', () => {
  let id = 600;
  let till: { username: string; token: string };
  beforeEach(async () => (till = await givenTill(web.service, { restaurants: [++id] })));

  const upload = (records: object[]): Promise<void> => web.upload(till.token, records);

  const openDay = (options?: Parameters<typeof web.open>[1]) =>
    web.open(`day/${id}/2025-10-15`, { username: till.username, ...options });

  test('figures are shown digit for digit, with the missing hours', async () => {
    const amounts = { gto: 99999999999.9999, cash: 0.0000001, gst: 1250.5 };
    await upload([9, 10].map((hour) => record({ restaurant_id: id, hour, ...amounts })));
    const { page, problems } = await openDay();
    const table = page.getByRole('region', { name: 'Figures by hour' });
    await table.waitFor();
    const text = (await table.innerText()).replace(/\s+/g, ' ');
    expect(text).toContain('09:00 42 99,999,999,999.9999 1,250.50 ');
    expect(text).toContain('Total 84 199,999,999,999.9998 2,501.00 ');
    expect(text).toContain(' 0.0000001 ');
    await says(page, 'Missing hours: 0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12,');
    expect(problems).toEqual([]);
  });

  test('each upload shows who sent it and what it changed, before and after', async () => {
    const colleague = await givenTill(web.service, { restaurants: [id] });
    await upload(day({ restaurant_id: id }));
    const changed = record({ restaurant_id: id, hour: 9, gto: 7.5, orders: 9 });
    await web.upload(colleague.token, [changed]);
    const { page } = await openDay();
    await says(page, `${till.username}: sent 24, added 24 hours: turnover 2,682.00`);
    expect(await page.getByRole('group').count()).toBe(1); // the first upload has no table
    await page.getByText(`${colleague.username}: sent 1, changed 1 hour: turnover 109.25 → 7.50`).click(); // prettier-ignore
    expect(await page.getByLabel(`Changes of upload ${id}-2025-10-15-2`).innerText()).toMatch(
      /09:00 Turnover 109.25 → 7.50$/,
    );
  });

  test('pictures are drawn over those of a week before; Copy as CSV has every record', async () => {
    await upload(day({ restaurant_id: id }));
    await upload(day({ restaurant_id: id, date: '2025-10-08', gto: 100 }));
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, problems } = await openDay({ permissions });
    const bars = page.getByRole('img', { name: 'Turnover by hour' });
    await bars.locator('.before').first().waitFor({ state: 'attached' }); // a line has no height
    expect([await bars.locator('.now').count(), await bars.locator('.before').count()]).toEqual([24, 24]); // prettier-ignore
    await page.getByText(/^\+11\.[78]% against Wednesday a week before/).first().waitFor(); // prettier-ignore
    await page.getByRole('list', { name: 'Payments' }).getByText('Mastercard').waitFor();
    await page.getByRole('button', { name: 'Copy as CSV' }).click();
    await says(page, 'Copied.');
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    const lines = copied.trimEnd().split(/\r?\n/);
    expect(lines).toHaveLength(25);
    expect(lines[0]).toMatch(/^restaurant_id,date,hour,orders,gto,/);
    expect(lines[10]).toMatch(new RegExp(`^${id},2025-10-15,9,9,109.25,`));
    expect(problems).toEqual([]);
  });

  test('arrow keys and pickers go to other days and restaurants; one that is not granted is an error in words', async () => {
    const other = await givenTill(web.service, { restaurants: [id, 900] });
    till.username = other.username;
    const { page } = await openDay();
    await says(page, /Wednesday.* 15 .*October.* 2025/);
    await page.keyboard.press('ArrowLeft');
    await says(page, /Tuesday.* 14 .*October.* 2025/);
    for (let time = 0; time < 2; time++) await page.keyboard.press('ArrowRight');
    await says(page, /Thursday.* 16 .*October.* 2025/);
    expect(page.url()).toBe(`${web.service.url}/app/#/day/${id}/2025-10-16`);
    await page.getByLabel('Date').fill('2025-10-20');
    await says(page, /Monday.* 20 .*October/);
    await page.getByLabel('Restaurant').selectOption('Restaurant 900');
    await page.waitForURL(`${web.service.url}/app/#/day/900/2025-10-20`);
    await web.show(page, 'day/99999/2025-10-15'); // which is not granted
    const alert = page.getByRole('alert').filter({ hasText: /restaurant/ });
    await alert.first().waitFor();
  });
});

describe('A range of days', () => {
  let username: string;
  beforeAll(async () => {
    const till = await givenTill(web.service, { restaurants: [301, 302] });
    username = till.username;
    for (const [restaurant_id, date, gto] of [
      [301, '2025-10-08', 100],
      [301, '2025-10-14', 99999999999.9999],
      [301, '2025-10-15', 150.5],
      [302, '2025-10-15', 0.0000001],
    ])
      await web.upload(till.token, [record({ restaurant_id, date, gto })]);
  });

  async function openRange(query: string): Promise<Page> {
    const view = `range?from=2025-10-13&to=2025-10-15${query}`;
    const { page, problems } = await web.open(view, { username });
    await page.getByRole('img', { name: 'Turnover by day' }).waitFor();
    expect(problems).toEqual([]);
    return page;
  }

  const tableOf = async (page: Page, by: string): Promise<string> =>
    (await page.getByRole('region', { name: `Totals by ${by}` }).innerText()).replace(/\s+/g, ' ');

  test('totals by day are exact, beside the same weekday before', async () => {
    const page = await openRange('&restaurants=301');
    const text = await tableOf(page, 'day');
    expect(text).toMatch(/14 Oct 2025 99,999,999,999\.9999 – 96 1,041,666,666.67 1 of 24 /);
    expect(text).toMatch(/15 Oct 2025 150\.50 – 96 1\.57 1 of 24 /);
    expect(text).toMatch(/Total 100,000,000,150\.4999 /);
    await says(page, 'Not comparable: 2 of 72 hours were sent, 1 of 72 of the week before.');
    await page.getByRole('link', { name: 'Tue, 14 Oct 2025' }).click();
    await page.waitForURL(/#\/day\/301\/2025-10-14$/);
  });

  test('restaurants are compared: the table is sorted, and each row leads to its restaurant', async () => {
    const page = await openRange('');
    const rows = page.getByRole('region', { name: 'Totals by restaurant' }).getByRole('rowheader');
    expect(await rows.allInnerTexts()).toEqual(['Restaurant 301', 'Restaurant 302', 'Total']);
    const text = await tableOf(page, 'restaurant');
    expect(text).toContain('Restaurant 302 0.0000001 – 96 0.00 1 of 72');
    const column = page.getByRole('columnheader', { name: 'Turnover' }).first();
    expect(await column.getAttribute('aria-sort')).toBe('descending'); // the highest turnover comes first
    const markOf = (sort: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('th${sort} button'), '::after').content`); // prettier-ignore
    expect(await markOf('[aria-sort=descending]')).toContain('↓');
    expect(await markOf('[scope=col]:not([aria-sort])')).toContain('↕');
    await column.getByRole('button').click();
    expect(await column.getAttribute('aria-sort')).toBe('ascending');
    expect(await rows.allInnerTexts()).toEqual(['Restaurant 302', 'Restaurant 301', 'Total']);
    await page.getByRole('link', { name: 'Restaurant 302' }).click();
    await says(page, 'Wed, 15 Oct 2025: Restaurant 302');
    expect(page.url()).toMatch(/#\/range\?from=2025-10-13&to=2025-10-15&restaurants=302$/);
  });

  test('restaurants and days are chosen in the page, and stay in the address; days in the wrong order are an error in words', async () => {
    const page = await openRange('');
    await page.getByText('Restaurants: all').click();
    await page.getByLabel(/^Restaurants, none/).selectOption('Restaurant 302');
    await page.getByText('0.0000001').first().waitFor();
    await page.getByLabel('First day').fill('2025-10-15');
    await page.getByRole('row', { name: /13 Oct/ }).waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/#\/range\?from=2025-10-15&to=2025-10-15&restaurants=302$/);
    await page.getByLabel('First day').fill('2025-10-16');
    await says(page, 'Choose a first and a last day');
  });

  test('the totals are downloaded as CSV, without another request', async () => {
    const page = await openRange('');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const downloadBy = async (by: string): Promise<string> => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: `Download CSV by ${by}` }).click();
      return readFileSync(await (await download).path(), 'utf8');
    };
    expect(await downloadBy('restaurant')).toMatch(
      /^\uFEFFrestaurant_id,name,hours,orders,gto,.*\r\n301,Restaurant 301,2,84,100000000150\.4999,/,
    );
    expect(await downloadBy('day')).toMatch(/^\uFEFFdate,hours,orders,gto,.*\r\n2025-10-13,0,0,0,/);
    expect(requests.filter((url) => url.includes('/api/'))).toEqual([]);
  });
});

describe('Signing in', () => {
  let username: string;
  let token: string;
  beforeEach(async () => ({ username, token } = await givenTill(web.service)));

  test('a wrong password is the words of the service, the right one signs in, by keyboard alone', async () => {
    const { page, problems } = await web.open();
    await page.locator('input[name=username]:focus').waitFor();
    await page.keyboard.type(username);
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong password');
    await page.keyboard.press('Enter');
    const rejected = await web.service.client.login(username, 'another wrong password');
    await page.getByRole('alert').filter({ hasText: rejected.body.error }).waitFor();
    await page.getByLabel('Password').fill('right password');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('a reload keeps the session, in this tab alone; signing out ends it and revokes the token', async () => {
    const { page } = await web.open();
    const request = page.waitForRequest(/\/api\/v1\/restaurants/);
    await signIn(page, username);
    const used = (await (await request).headerValue('authorization'))!.replace('Bearer ', '');
    const answered = async () =>
      (await web.service.client.get('/api/v1/restaurants', { token: used })).status;
    await web.show(page, 'day/101/2025-10-15');
    await says(page, 'Nothing was uploaded for this day.');
    await page.reload();
    await says(page, 'Nothing was uploaded for this day.');
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
    const other = await page.context().newPage();
    await other.goto(`${web.service.url}/app/`);
    await other.getByLabel('Username').waitFor();
    expect(await answered()).toBe(200);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await says(page, 'You are signed out.');
    expect(await answered()).toBe(401);
    await page.reload();
    await page.getByLabel('Username').waitFor();
  });

  test('a session that ended asks for the password, and then shows the same view', async () => {
    const { page } = await web.open('', { username });
    await web.service.client.post('/api/v1/auth/revoke', { all: true }, { token });
    await web.show(page, 'day/101/2025-10-15');
    await says(page, 'Your session has ended. Sign in again.');
    await signIn(page, username);
    await says(page, 'Nothing was uploaded for this day.');
  });
});
