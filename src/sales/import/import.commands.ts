import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { CommandRejected, reasonOf } from '../../admin/admin.errors.js';
import { formatTable, type CommandResult } from '../../admin/command-result.js';
import { wholeNumber } from '../../admin/values.js';
import {
  ImportService,
  type FileDay,
  type ImportOptions,
  type ImportResult,
} from './import.service.js';
import { parseSalesFile } from './parse-sales-file.js';

/** Exit statuses of its own; 1 is a failure, and 2 wrong usage. */
const EXIT_SOME_REJECTED = 3;
const EXIT_ALL_REJECTED = 4;

function exitStatusOf(rejected: number, days: number): number {
  if (rejected === 0) return 0;
  return rejected < days ? EXIT_SOME_REJECTED : EXIT_ALL_REJECTED;
}

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
    { dryRun = false, user, machine: machines }: Options,
  ): Promise<CommandResult> {
    const { days, rejected } = await readFiles(files);
    const settings = { username: user, machines: new Map(machines), isDryRun: dryRun };
    const results = [...rejected, ...(await this.upload(days, settings))];
    const count = results.filter(({ status }) => status === 'rejected').length;
    const outcome = dryRun ? 'that would be saved' : 'saved';
    const summary = `days ${outcome}: ${results.length - count}; rejected: ${count}`;
    return {
      text: `${tableOf(results)}\n${summary}`,
      json: { dry_run: dryRun, rejected: count, days: results },
      exitStatus: exitStatusOf(count, results.length),
    };
  }

  private async upload(days: readonly FileDay[], options: ImportOptions): Promise<ImportResult[]> {
    const results: ImportResult[] = [];
    try {
      for await (const result of this.imports.import(days, options)) results.push(result);
      return results;
    } catch (error) {
      if (results.length === 0) throw error;
      const text = `stopped after ${results.length} of ${days.length} days, safe to run again: ${reasonOf(error)}`;
      throw new Error(text, { cause: error });
    }
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
  const parsed = { days: [] as FileDay[], rejected: [] as ImportResult[] };
  for (const file of files) {
    const bytes = await readFile(file).catch((error: unknown) => {
      throw new CommandRejected(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
    });
    if (!isUtf8(bytes)) throw new CommandRejected(`${file} is not UTF-8`);
    const { days, problems } = parseSalesFile(bytes.toString());
    for (const { line, message } of problems) parsed.rejected.push(rejection(file, line, message));
    if (problems.length === 0) parsed.days.push(...days.map((day) => ({ ...day, file })));
  }
  return parsed;
}

function rejection(file: string, line: number | null, message: string): ImportResult {
  const text = line === null ? message : `line ${line}: ${message}`;
  return { file, restaurant: '?', date: '?', status: 'rejected', message: text, warnings: [] };
}

/** Parses `NAME=ID`; commander hands on what it parsed of earlier ones. */
function machine(text: string, earlier: Options['machine'] = []): Options['machine'] {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be NAME=ID.');
  return [...earlier, [text.slice(0, at), wholeNumber(text.slice(at + 1))]];
}
