import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'dist/web/.sources');

/** What the page is made of. */
const SOURCES = [
  'web',
  'src/sales/files',
  'src/sales/fields',
  'src/calendar/hour-set.ts',
  'src/http/body/json-text.ts',
  'src/sales/reports/report-limits.ts',
  'package-lock.json',
];

/** Builds the page unless its sources are those of the last build. */
const hash = await hashOf(SOURCES);
if ((await readFile(stamp, 'utf8').catch(() => '')) !== hash) {
  const { build } = await import('vite');
  await build({ configFile: join(root, 'web/vite.config.mjs') });
  await writeFile(stamp, hash);
}

async function hashOf(sources) {
  const sum = createHash('sha256');
  for (const file of (await Promise.all(sources.map(filesBelow))).flat().sort()) {
    sum.update(file).update(await readFile(join(root, file)));
  }
  return sum.digest('hex');
}

async function filesBelow(path) {
  const names = await readdir(join(root, path), { recursive: true, withFileTypes: true }).catch(
    () => undefined,
  );
  if (!names) return [path];
  return names
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
}
