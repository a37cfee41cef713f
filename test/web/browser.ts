import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { stretched } from '../support/time-limits.js';

const root = join(__dirname, '../..');
const cache = join(root, 'node_modules/.cache');

/** Where npm has none for the machine. */
const INSTALLED = ['chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** Starts the Chromium that npm installed, of which every machine has the same version. */
export async function startBrowser(): Promise<Browser> {
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  const installed = isPackaged ? undefined : INSTALLED.find((path) => existsSync(path));
  const folder = installed ? '' : unpackedChromium();
  const env = {
    ...process.env,
    FONTCONFIG_PATH: folder,
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
  };
  return chromium.launch({
    executablePath: installed ?? join(folder, 'chromium'),
    chromiumSandbox: false,
    timeout: stretched(120_000),
    args: ['--no-zygote', '--disable-gpu', '--disable-dev-shm-usage'],
    ...(installed ? {} : { env }),
  });
}

/** The package compresses Chromium and the libraries that bare machines lack; unpacked once per version. */
function unpackedChromium(): string {
  const manifest = readFileSync(
    join(root, 'node_modules/@sparticuz/chromium/package.json'),
    'utf8',
  );
  const folder = join(cache, `chromium-${(JSON.parse(manifest) as { version: string }).version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const unpacking = mkdtempSync(join(cache, 'unpacking-'));
  const unpack = `import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())`;
  const env = {
    PATH: process.env['PATH'],
    TMPDIR: unpacking,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x',
  };
  execFileSync(process.execPath, ['-e', unpack], { cwd: root, env });
  writeFileSync(
    join(unpacking, 'fonts.conf'),
    `<fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir></fontconfig>`,
  );
  try {
    renameSync(unpacking, folder);
  } catch {
    rmSync(unpacking, { recursive: true }); // another process was faster
  }
  return folder;
}
