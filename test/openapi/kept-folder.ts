import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const cache = join(root, 'node_modules/.cache');

/** Returns a folder with what `make` wrote into it, made anew where the inputs or the installed packages differ. */
export async function keptFolder(
  name: string,
  inputs: readonly unknown[],
  make: (folder: string) => unknown,
): Promise<string> {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const key = createHash('sha256')
    .update(JSON.stringify([inputs, process.version, lock]))
    .digest('hex');
  const folder = join(cache, `${name}-${key.slice(0, 32)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, 'making-'));
  try {
    await make(making);
    if (!existsSync(folder)) renameSync(making, folder); // another process may be faster
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return folder;
}
