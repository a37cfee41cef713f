import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import Papa from 'papaparse';
import { isRejection } from '../http/errors/service-error.js';
import { CommandRejected } from './admin.errors.js';

const MAX_LISTED_FAULTS = 10;

/** Says what is wrong with a file, in lines. */
export class FileRejected extends CommandRejected {}

/** Reads a cell as the value of an option is read; `String` takes any text. */
type Parsers = Readonly<Record<string, (text: string) => unknown>>;

interface Columns<Required extends Parsers, Optional extends Parsers> {
  readonly required: Required;
  /** A file may lack these, and their cells may be empty. */
  readonly optional: Optional;
}

type Row<Required extends Parsers, Optional extends Parsers> = {
  readonly [Name in keyof Required]: ReturnType<Required[Name]>;
} & {
  readonly [Name in keyof Optional]: ReturnType<Optional[Name]> | undefined;
};

/**
 * Does the work for each row of a CSV file whose first line names its columns, with commas,
 * semicolons or tabs. Throws `CommandRejected` if rows are refused, with their lines and reasons.
 */
export async function forEachRow<Required extends Parsers, Optional extends Parsers>(
  file: string,
  { required, optional }: Columns<Required, Optional>,
  work: (row: Row<Required, Optional>) => unknown,
): Promise<void> {
  const [head, ...rows] = parseRows(await readText(file), file);
  const names = (head?.cells ?? []).map((name) => name.trim());
  assertNamed(file, names, Object.keys(required), Object.keys(optional));
  const faults: { line: number; reason: string }[] = [];
  for (const { line, cells } of rows) {
    const textOf = (name: string): string => cells[names.indexOf(name)]?.trim() ?? '';
    const given = Object.entries(optional).filter(([name]) => textOf(name) !== '');
    try {
      if (cells.length > names.length)
        throw new CommandRejected(
          `it has ${cells.length} cells, but there are ${names.length} columns`,
        );
      const values = [...Object.entries(required), ...given].map(([name, parse]) => {
        return [name, parseCell(name, textOf(name), parse)] as const;
      });
      await work(Object.fromEntries(values) as Row<Required, Optional>);
    } catch (error) {
      if (!isRejection(error)) throw error;
      faults.push({ line, reason: error.message });
    }
  }
  if (faults.length === 0) return;
  const texts = faults
    .slice(0, MAX_LISTED_FAULTS)
    .map(({ line, reason }) => `line ${line}: ${reason}`);
  const others = faults.slice(MAX_LISTED_FAULTS).map(({ line }) => line);
  if (others.length > 0) texts.push(`and faults in the lines ${others.join(', ')}`);
  const heading = `nothing was changed, because of ${basename(file)}:`;
  throw new FileRejected([heading, ...texts].join('\n'));
}

function assertNamed(
  file: string,
  names: readonly string[],
  required: readonly string[],
  optional: readonly string[],
): void {
  const isComplete = required.every((name) => names.includes(name));
  const isKnown = names.every((name) => [...required, ...optional].includes(name));
  if (isComplete && isKnown && new Set(names).size === names.length) return;
  throw new CommandRejected(
    `${file}: the first line must name the columns ${required.join(', ')}` +
      (optional.length > 0 ? ` and may name ${optional.join(', ')}` : '') +
      `, each once; it is ${quote(names.join(', '))}`,
  );
}

function parseCell(name: string, text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new CommandRejected(`${name} ${quote(text)}: ${error.message}`);
  }
}

/** Writes what a cell holds for a message. */
function quote(cell: string): string {
  return JSON.stringify(cell.length > 60 ? `${cell.slice(0, 60)}...` : cell);
}

/** Reads a file that an argument or an option names. */
export const readGiven = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: unknown) => {
    throw new CommandRejected(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  });

async function readText(file: string): Promise<string> {
  const bytes = await readGiven(file);
  if (!isUtf8(bytes))
    throw new CommandRejected(`${file} is not UTF-8: save it as "CSV UTF-8" in a spreadsheet`);
  return bytes.toString().replace(/^\uFEFF/, '');
}

/** Parses the rows that are not empty, each with the line on which it begins. */
function parseRows(text: string, file: string) {
  const rows: { line: number; cells: string[] }[] = [];
  const [, headLine = ''] = /^\s*(.*)/.exec(text) ?? [];
  let [line, end] = [1, 0];
  Papa.parse<string[]>(text, {
    delimiter: [';', '\t'].find((each) => headLine.includes(each)) ?? ',',
    step({ data: cells, errors: [error], meta: { cursor } }) {
      if (error) throw new CommandRejected(`${file}, line ${line}: ${error.message}`);
      while (cells.length > 1 && cells.at(-1)!.trim() === '') cells.pop();
      if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells });
      line += text.slice(end, cursor).split(/\r\n|\r|\n/).length - 1;
      end = cursor;
    },
  });
  return rows;
}
