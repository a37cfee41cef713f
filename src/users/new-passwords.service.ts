import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { CommandRejected } from '../admin/admin.errors.js';

interface NewPassword {
  readonly username: string;
  readonly password: string;
}

/** Returns the last step of a command that made passwords: it writes them into a new file. */
export function newPasswordsFile(made: readonly NewPassword[], file: string | undefined) {
  if (made.length === 0) return undefined;
  if (file === undefined)
    throw new CommandRejected(
      `${made.length} users have no password: give --passwords FILE, into which new ones are written`,
    );
  if (existsSync(file)) throw new CommandRejected(`${file} exists already: name another file`);
  const rows = made.map(({ username, password }) => ({ username, password }));
  const text = Papa.unparse(rows, { newline: '\n', escapeFormulae: true });
  return () =>
    writeFile(file, `${text}\n`, { flag: 'wx', mode: 0o600, flush: true }).catch(
      (error: unknown) => {
        const { code } = error as NodeJS.ErrnoException;
        throw new CommandRejected(`${file} cannot be written: ${code}`);
      },
    );
}
