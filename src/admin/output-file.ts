import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandRejected } from './admin.errors.js';

/** Writes a file completely or not at all; rename() replaces a link that appears meanwhile. */
export async function writeWhole(
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const existing = await lstat(path).catch(() => undefined);
  if (existing?.isSymbolicLink()) throw new CommandRejected(`${path} is a symbolic link`);
  if (existing && !existing.isFile()) throw new CommandRejected(`${path} is not a regular file`);
  const draft = join(dirname(path), `.${randomUUID()}.part`);
  const discard = (): void => rmSync(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  process.once('exit', discard); // Ctrl-C ends the process without an error
  try {
    if (existing) await file.chmod(existing.mode & 0o777);
    await pipeline(pieces, file.createWriteStream({ flush: true }));
    await rename(draft, path);
  } finally {
    process.removeListener('exit', discard);
    discard();
  }
}
