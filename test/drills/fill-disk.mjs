import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a file until nothing more fits; returns its path. */
export function fillDisk(folder) {
  const path = join(folder, 'filling');
  const file = openSync(path, 'w');
  for (let size = 1 << 20; size >= 1;) {
    try {
      writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
      size >>= 1;
    }
  }
  closeSync(file);
  return path;
}
