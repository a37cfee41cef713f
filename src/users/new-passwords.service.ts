import { access, rm, writeFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { CommandRejected } from '../admin/admin.errors.js';

interface NewPassword {
  readonly username: string;
  readonly password: string;
}

/** Throws unless passwords that are to be made have a new file. */
export async function assertCanBeWritten(count: number, file: string | undefined): Promise<void> {
  if (count === 0) return;
  if (file === undefined)
    throw new CommandRejected(
      `${count} users have no password: give --passwords FILE, into which new ones are written`,
    );
  const isTaken = await access(file).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new CommandRejected(`${file} exists already: name another file`);
}

/** Writes made passwords into a new file of its owner; removes it if `work` fails. */
export async function withPasswordsFile<Result>(
  made: readonly NewPassword[],
  file: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (made.length === 0 || file === undefined) return work();
  const rows = made.map(({ username, password }) => ({ username, password }));
  const text = Papa.unparse(rows, { newline: '\n', escapeFormulae: true });
  const options = { flag: 'wx', mode: 0o600, flush: true };
  await writeFile(file, `${text}\n`, options).catch((error: unknown) => {
    throw new CommandRejected(
      `${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`,
    );
  });
  return work().catch(async (error: unknown) => {
    await rm(file, { force: true });
    throw error;
  });
}
