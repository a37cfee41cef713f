import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startBrowser } from './browser.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched } from '../support/time-limits.js';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Starts the service and a browser for the tests of a file. */
export function startWeb(): { readonly service: TestApp; readonly browser: Browser } {
  const web = {} as { service: TestApp; browser: Browser };
  beforeAll(async () => {
    web.service = await createTestApp();
    web.browser = await startBrowser();
  });
  afterAll(async () => {
    await web.browser.close();
    await web.service.close();
  });
  return web;
}

/** A page whose errors and policy violations are collected. */
export interface WebPage {
  readonly page: Page;
  /** Errors of scripts, and violations of the content security policy. */
  readonly problems: string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WebPage> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    locale: 'en-GB',
    ...options,
  });
  context.setDefaultTimeout(stretched(60_000));
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error.stack)));
  page.on(
    'dialog',
    (dialog) => (problems.push(`dialog ${dialog.message()}`), void dialog.dismiss()),
  );
  await page.exposeFunction('reportViolation', (text: string) => problems.push(text));
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
    reportViolation(event.violatedDirective + ' ' + event.blockedURI);
  })`);
  await page.goto(`${url}/app/`);
  return { page, problems };
}

export async function signIn(
  page: Page,
  username: string,
  password = 'right password',
): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** What axe-core finds wrong, a line each, by all its rules or by one. */
export async function accessibilityViolations(page: Page, rule?: string): Promise<string[]> {
  await page.evaluate(axe);
  const options = rule === undefined ? '' : `{ runOnly: ['${rule}'] }`;
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}
