import { rmSync } from 'node:fs';
import { open, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandRejected } from './admin.errors.js';

/**
 * Writes a file whole or not at all: beside its place, out to the disk, then renamed into it. An older file of that name
 * stays as it was until then. Throws `CommandRejected` where something other than a file is there.
 */
export async function writeWhole(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const place = await realpath(path).catch(() => path); // through a link, not in its stead
  const before = await stat(place).catch(() => undefined);
  if (before && !before.isFile()) throw new CommandRejected(`${path} is no ordinary file`);
  const draft = join(dirname(place), `.${basename(place)}.${process.pid}.part`);
  const discard = (): void => rmSync(draft, { force: true });
  const file = await open(draft, 'wx', before?.mode);
  process.once('exit', discard); // Ctrl-C
  try {
    await pipeline(pieces, file.createWriteStream({ flush: true }));
    await rename(draft, place);
    await flushFolder(dirname(place));
  } finally {
    process.removeListener('exit', discard);
    discard();
  }
}

/** Only then does the new name outlive a power cut. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
