import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { AdminCommand } from '../../admin/admin-command.decorator.js';
import { type CommandResult, formatTable } from '../../admin/command-result.js';
import { forEachRow, readGiven } from '../../admin/csv-table.js';
import { day, wholeNumber } from '../../admin/values.js';
import type { GivenTurnover } from '../files/add-up.js';
import type { SalesFile } from '../files/read-sales-file.js';
import {
  type ImportedDay,
  type ImportOptions,
  type ImportReport,
  ImportService,
} from './import.service.js';

/** Exit statuses of this command; 1 is a failure, and 2 wrong usage. */
const EXIT_SOME_REJECTED = 3;
const EXIT_ALL_REJECTED = 4;

interface Options extends ImportOptions {
  readonly turnover?: string;
  readonly turnovers?: string;
}

/** A line of the result that says why a file was refused. */
const REJECTED = {
  file: '',
  restaurant: '?',
  date: '?',
  status: 'rejected',
  warnings: [],
} as const;

const FILES = new Argument('<files...>', 'the files');
const OPTIONS: readonly Option[] = [
  new Option('--dry-run', 'check everything and save nothing'),
  new Option('--user <name>', 'whose grants count (default: the only user)'),
  new Option('--profile <name>', 'the profile that reads the files (default: recognize it)'),
  new Option('--restaurant <id>', 'the restaurant, where the files do not say it').argParser(
    wholeNumber,
  ),
  new Option('--date <date>', 'the day as YYYY-MM-DD, where the files do not say it'),
  new Option(
    '--machine <name=id>',
    'the restaurant of a machine or code that a file names; may be repeated',
  ).argParser(machine),
  new Option(
    '--turnover <amount>',
    "the turnover by the till's own report, which must be what is read: of one restaurant and day",
  ).argParser(turnover),
  new Option('--turnovers <file>', 'the same of several: CSV with restaurant, date, turnover'),
  new Option('--allow-old', 'take days that are more than two months ago'),
  new Option('--allow-future', 'take days that are more than a day ahead'),
  new Option(
    '--replace',
    'replace hours of another source, and figures that the files do not have',
  ),
];

@Injectable()
export class ImportCommands {
  constructor(private readonly imports: ImportService) {}

  @AdminCommand(
    'sales import',
    'Upload files of sales, each whole or not at all; tills of a restaurant are added up; ' +
      `exit status ${EXIT_SOME_REJECTED} if some files were rejected, ${EXIT_ALL_REJECTED} if all were`,
    { arguments: [FILES], options: OPTIONS, ownTransactions: true },
  )
  async import(paths: string[], options: Options): Promise<CommandResult> {
    const [files, turnovers] = [await readAll(paths), await turnoversOf(options)];
    const report = await this.imports.import(files, options, turnovers);
    return resultOf(report, options.dryRun ?? false);
  }
}

function resultOf({ days, files, unread }: ImportReport, isDryRun: boolean): CommandResult {
  const rejected = files.filter((file) => refusalsOf(file).length > 0);
  const missing = unread.map(({ restaurantId = '?', date = '?', turnover: given }) => {
    const message = `no file has this day, whose turnover was given as ${given}`;
    return { ...REJECTED, restaurant: String(restaurantId), date, message };
  });
  const saved = days.map((day) => resultOfDay(day, isDryRun));
  const results = [...saved, ...rejected.flatMap(refusalsOf), ...missing];
  const notes = files.flatMap(({ name: file, notes: said }) =>
    said.map((note) => ({ file, note })),
  );
  const rows = results.flatMap(({ file, restaurant, date, message, warnings }) => {
    const texts = [message, ...warnings.map((warning) => `warning: ${warning}`)];
    return texts.map((text) => [file, restaurant, date, text]);
  });
  const noted = notes.map(({ file, note }) => [file, '', '', `warning: ${note}`]);
  const table = formatTable(['FILE', 'RESTAURANT', 'DATE', 'RESULT'], [...rows, ...noted]);
  const taken = files.length - rejected.length;
  const counts = `days ${isDryRun ? 'that would be saved' : 'saved'}: ${days.length}; files taken: ${taken}; files rejected: ${rejected.length}`;
  const failure = taken > 0 ? EXIT_SOME_REJECTED : EXIT_ALL_REJECTED;
  return {
    text: `${table}\n${counts}`,
    json: { dry_run: isDryRun, rejected: rejected.length, days: results, notes },
    exitStatus: rejected.length + missing.length > 0 ? failure : 0,
  };
}

function resultOfDay({ day, name, ...result }: ImportedDay, isDryRun: boolean) {
  const { tills } = day.source;
  const hours = `${isDryRun ? 'hours that would be saved' : 'hours saved'}: ${day.records.length}`;
  return {
    file: day.files.map((file) => file.name).join(', '),
    restaurant: `${day.restaurantId} (${name})${tills.length > 0 ? `, till ${tills.join(', ')}` : ''}`,
    date: day.date,
    status: isDryRun ? 'valid' : 'saved',
    message: `${hours}, changed: ${result.changed}, overwritten: ${result.overwritten}`,
    warnings: result.warnings,
  };
}

function refusalsOf({ name: file, problems, ...asked }: ImportReport['files'][number]) {
  const codes = asked.unassigned.map(
    (code) => `which restaurant is ${code}? Name it: --machine ${JSON.stringify(code)}=ID`,
  );
  const messages = [...problems, ...asked.questions.map(({ text }) => text), ...codes];
  return messages.map((message) => ({ ...REJECTED, file, message }));
}

const readAll = (paths: readonly string[]): Promise<SalesFile[]> =>
  Promise.all(paths.map(async (path) => ({ name: basename(path), bytes: await readGiven(path) })));

const isAmount = (text: string): boolean => /^\d{1,11}(\.\d{1,20})?$/.test(text);

function turnover(text: string): string {
  if (!isAmount(text)) throw new InvalidArgumentError('It must be an amount such as 4547.94.');
  return text;
}

/** Returns the turnovers that must be what is read: of this run, or of each day of a file. */
async function turnoversOf({ turnover: one, turnovers: file, ...options }: Options) {
  const { restaurant: restaurantId, date } = options;
  const given: GivenTurnover[] = one === undefined ? [] : [{ restaurantId, date, turnover: one }];
  if (file === undefined) return given;
  const columns = { required: { restaurant: wholeNumber, date: day, turnover }, optional: {} };
  await forEachRow(file, columns, ({ restaurant, ...row }) =>
    given.push({ restaurantId: restaurant, ...row }),
  );
  return given;
}

/** Parses `NAME=ID`; commander passes what earlier occurrences of the option gave. */
function machine(text: string, earlier: ImportOptions['machine'] = {}): typeof earlier {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be NAME=ID.');
  const name = text.slice(0, at);
  if (Object.hasOwn(earlier, name)) throw new InvalidArgumentError(`${name} is named twice.`);
  return { ...earlier, [name]: wholeNumber(text.slice(at + 1)) };
}
