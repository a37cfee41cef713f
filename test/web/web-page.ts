import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { stretched } from '../support/time-limits.js';

const root = join(__dirname, '../..');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

type Options = BrowserContextOptions & { username?: string; password?: string; url?: string };

/** The service and a browser. */
export class Web {
  service!: TestApp;
  browser!: Browser;

  /**
   * Opens a view in a browser of its own, signed in where there is a username, and collects errors
   * of scripts, dialogs, and violations of the content security policy.
   */
  async open(
    view = '',
    { username, password, url = this.service.url, ...options }: Options = {},
  ): Promise<{ page: Page; problems: string[] }> {
    const usual = { reducedMotion: 'reduce', locale: 'en-GB' } as const;
    const context = await this.browser.newContext({ ...usual, ...options });
    context.setDefaultTimeout(stretched(60_000));
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error.stack)));
    page.on('dialog', (dialog) => {
      problems.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.exposeFunction('reportViolation', (text: string) => problems.push(text));
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
      reportViolation(event.violatedDirective + ' ' + event.blockedURI);
    })`);
    await page.goto(`${url}/app/#/${view}`);
    if (username !== undefined) await signIn(page, username, password);
    return { page, problems };
  }

  /** Goes to another view of the same page. */
  show(page: Page, view: string): Promise<unknown> {
    return page.goto(`${this.service.url}/app/#/${view}`);
  }

  /** Uploads without the page. */
  async upload(token: string, records: readonly object[]): Promise<void> {
    expect((await this.service.client.upload(token, records)).status).toBe(200);
  }
}

/** Starts both for the tests of a file. */
export function startWeb(settings: Parameters<typeof createTestApp>[0] = {}): Web {
  const web = new Web();
  beforeAll(async () => {
    web.service = await createTestApp(settings);
    web.browser = await startBrowser();
  });
  afterAll(async () => {
    await web.browser.close();
    await web.service.close();
  });
  return web;
}

export async function signIn(
  page: Page,
  username: string,
  password = 'right password',
): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}

/** Signs out by the menu of the account. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('img', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
}

/** Chooses files of these names and texts to be uploaded; records become JSON. */
export function chooseFiles(page: Page, files: Record<string, string | object[]>): Promise<void> {
  const chosen = Object.entries(files).map(([name, given]) => {
    const text = typeof given === 'string' ? given : JSON.stringify({ records: given });
    return { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
  });
  return page.locator('input[type=file]').setInputFiles(chosen);
}

/** Chooses a restaurant by its number in the menu that asks for one. */
export async function chooseRestaurant(page: Page, label: string, id: number): Promise<void> {
  const menu = page.locator('.menu').filter({ has: page.getByText(label, { exact: true }) });
  await menu.locator('[popovertarget]').click();
  await menu.getByLabel('Name or number').fill(String(id));
  await menu.getByRole('button', { name: new RegExp(`${id}$`) }).click();
}

/** Resolves once the page says all of these. */
export async function says(page: Page, ...texts: (string | RegExp)[]): Promise<void> {
  for (const text of texts) await page.getByText(text).waitFor();
}

/** What axe-core finds wrong, a line each, by all its rules or by one. */
export async function accessibilityViolations(page: Page, rule?: string): Promise<string[]> {
  await page.evaluate(axe);
  const options = rule === undefined ? '' : `{ runOnly: ['${rule}'] }`;
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}

/** Starts the Chromium that npm installed, of which every machine has the same version; else the system's. */
async function startBrowser(): Promise<Browser> {
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  const folder = isPackaged ? unpackedChromium() : '';
  const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const fonts = { FONTCONFIG_PATH: folder, LD_LIBRARY_PATH: join(folder, 'al2023/lib') };
  return chromium.launch({
    executablePath: [join(folder, 'chromium'), ...installed].find((path) => existsSync(path))!,
    chromiumSandbox: false,
    timeout: stretched(120_000),
    args: ['--no-zygote', '--disable-gpu', '--disable-dev-shm-usage'],
    ...(isPackaged ? { env: { ...process.env, ...fonts } } : {}),
  });
}

/** The package compresses Chromium and the libraries that bare machines lack; unpacked once per version. */
function unpackedChromium(): string {
  const modules = join(root, 'node_modules');
  const cache = join(modules, '.cache');
  const manifest = readFileSync(join(modules, '@sparticuz/chromium/package.json'), 'utf8');
  const folder = join(cache, `chromium-${(JSON.parse(manifest) as { version: string }).version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const unpacking = mkdtempSync(join(cache, 'unpacking-'));
  const unpack = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`;
  const paths = { PATH: process.env['PATH'], TMPDIR: unpacking };
  const env = { ...paths, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
  execFileSync(process.execPath, ['-e', unpack], { cwd: root, env });
  const fonts = `<fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir></fontconfig>`;
  writeFileSync(join(unpacking, 'fonts.conf'), fonts);
  try {
    renameSync(unpacking, folder);
  } catch {
    rmSync(unpacking, { recursive: true }); // another process was faster
  }
  return folder;
}
