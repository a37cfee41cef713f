import { givenTill } from '../support/given.js';
import { startWeb } from './web-page.js';

const web = startWeb();

test('the interactive page of the API: whoever logs in there can try a call', async () => {
  const till = await givenTill(web.service, { restaurants: [101] });
  const { page, problems } = await web.open();
  for (const path of ['/docs', '/api', '/swagger']) {
    await page.goto(web.service.url + path);
    expect(page.url()).toBe(`${web.service.url}/api/v1/docs`);
  }
  await page.locator('.opblock-summary-path', { hasText: /auth\/login$/ }).click();
  const login = page.locator('.opblock', { hasText: '/api/v1/auth/login' }).first();
  const { username } = till;
  const body = { grant_type: 'password', username, password: 'right password' };
  await login.locator('textarea').fill(JSON.stringify(body));
  await login.getByRole('button', { name: 'Execute' }).click();
  await login.locator('.live-responses-table', { hasText: 'access_token' }).waitFor();
  await login.locator('.opblock-summary-path').click();
  await page.locator('.opblock-summary-path', { hasText: /^\/api\/v1\/restaurants$/ }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page
    .locator('.live-responses-table .microlight', { hasText: '"restaurant_id": 101' })
    .first()
    .waitFor();
  await page.locator('.opblock-summary-path', { hasText: /upload-daily$/ }).click();
  const upload = page.locator('.opblock', { hasText: 'upload-daily' });
  expect(await upload.getByRole('combobox').first().inputValue()).toBe('true'); // dry_run
  expect(await upload.getByPlaceholder('X-Upload-Source').inputValue()).toBe('');
  await upload.getByRole('button', { name: 'Execute' }).click();
  await upload.locator('.live-responses-table', { hasText: 'would be saved' }).waitFor();
  if (process.env['LOOK']) await page.screenshot({ path: process.env['LOOK'] });
  expect(problems).toEqual([]);
});
