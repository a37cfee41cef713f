import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { CommandRejected } from '../../admin/admin.errors.js';
import { formatTable, type CommandResult } from '../../admin/command-result.js';
import { wholeNumber } from '../../admin/values.js';
import { ImportService, type FileDay, type ImportResult } from './import.service.js';
import { parseSalesFile } from './parse-sales-file.js';

/** Exit statuses of this command; 1 is a failure, and 2 wrong usage. */
const EXIT_SOME_REJECTED = 3;
const EXIT_ALL_REJECTED = 4;

interface Options {
  readonly dryRun?: boolean;
  readonly user?: string;
  readonly machine?: readonly (readonly [name: string, restaurantId: number])[];
}

@Injectable()
export class ImportCommands {
  constructor(private readonly imports: ImportService) {}

  @AdminCommand({
    name: 'sales import',
    description:
      'Upload files of sales (JSON, CSV, mall files), each day whole or not at all; ' +
      `exit status ${EXIT_SOME_REJECTED} if some days were rejected, ${EXIT_ALL_REJECTED} if all were`,
    arguments: [new Argument('<files...>', 'the files')],
    options: [
      new Option('--dry-run', 'check everything and save nothing'),
      new Option('--user <name>', 'whose grants count (default: the only user)'),
      new Option(
        '--machine <name=id>',
        'the restaurant of a machine that a mall file names; may be repeated',
      ).argParser(machine),
    ],
  })
  async import(
    files: string[],
    { dryRun: isDryRun = false, user, machine: machines }: Options,
  ): Promise<CommandResult> {
    const { days, rejected } = await readFiles(files);
    const options = { username: user, machines: new Map(machines), isDryRun };
    const results = [...rejected, ...(await this.imports.import(days, options))];
    const saved = results.filter(({ status }) => status !== 'rejected').length;
    const count = results.length - saved;
    const outcome = isDryRun ? 'that would be saved' : 'saved';
    const failure = saved > 0 ? EXIT_SOME_REJECTED : EXIT_ALL_REJECTED;
    return {
      text: `${tableOf(results)}\ndays ${outcome}: ${saved}; rejected: ${count}`,
      json: { dry_run: isDryRun, rejected: count, days: results },
      exitStatus: count === 0 ? 0 : failure,
    };
  }
}

function tableOf(results: readonly ImportResult[]): string {
  const rows = results.flatMap(({ file, restaurant, date, message, warnings }) => {
    const texts = [message, ...warnings.map((warning) => `warning: ${warning}`)];
    return texts.map((text) => [file, restaurant, date, text]);
  });
  return formatTable(['FILE', 'RESTAURANT', 'DATE', 'RESULT'], rows);
}

/** Reads the days of all files, and the problems of those that cannot be parsed. */
async function readFiles(files: readonly string[]) {
  const read = { days: [] as FileDay[], rejected: [] as ImportResult[] };
  for (const file of files) {
    const bytes = await readFile(file).catch((error: unknown) => {
      throw new CommandRejected(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
    });
    if (!isUtf8(bytes)) throw new CommandRejected(`${file} is not UTF-8`);
    const { days, problems } = parseSalesFile(bytes.toString());
    for (const message of problems) {
      const day = { file, restaurant: '?', date: '?', warnings: [] };
      read.rejected.push({ ...day, status: 'rejected', message });
    }
    if (problems.length === 0) read.days.push(...days.map((day) => ({ ...day, file })));
  }
  return read;
}

/** Parses `NAME=ID`; commander passes what earlier occurrences of the option gave. */
function machine(text: string, earlier: Options['machine'] = []): Options['machine'] {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be NAME=ID.');
  return [...earlier, [text.slice(0, at), wholeNumber(text.slice(at + 1))]];
}
