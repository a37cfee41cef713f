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
  await page.getByRole('textbox', { name: 'Username' }).fill(till.username);
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong password');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByText('401: the username or the password is wrong').waitFor();
  await page.getByRole('textbox', { name: 'Username' }).fill(till.username);
  await page.getByRole('textbox', { name: 'Password' }).fill('right password');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByText('You are logged in').waitFor();
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
