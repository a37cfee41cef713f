import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import Papa from 'papaparse';
import { CommandRejected } from './admin.errors.js';

const MAX_LISTED_FAULTS = 10;

/** Cells by column; those of a column that the file does not have are empty. */
export interface CsvRow<Column extends string> {
  readonly line: number;
  readonly cells: Readonly<Record<Column, string>>;
}

interface Fault {
  readonly line: number;
  readonly text: string;
}

/** A CSV file, which is used as a whole or not at all. */
export class CsvTable<Column extends string> {
  constructor(
    private readonly file: string,
    readonly rows: readonly CsvRow<Column>[],
    private readonly faults: Fault[],
  ) {}

  /** Notes that a cell cannot be used as it is. */
  addFault({ line }: CsvRow<Column>, column: Column, fault: string): void {
    this.faults.push({ line, text: `, ${column}: ${fault}` });
  }

  /** Throws `CommandRejected` with the first faults in full and the lines of all others. */
  assertNoFaults(): void {
    if (this.faults.length === 0) return;
    const listed = this.faults.slice(0, MAX_LISTED_FAULTS);
    const others = new Set(this.faults.slice(MAX_LISTED_FAULTS).map(({ line }) => line));
    const texts = listed.map(({ line, text }) => `line ${line}${text}`);
    if (others.size > 0) texts.push(`and faults in the lines ${[...others].join(', ')}`);
    const head = `nothing was changed, because of ${basename(this.file)}:`;
    throw new CommandRejected([head, ...texts].join('\n'));
  }
}

/** Reads a CSV file whose first line names its columns, with commas, semicolons or tabs. */
export async function readCsv<Column extends string>(
  file: string,
  required: readonly Column[],
  optional: readonly Column[] = [],
): Promise<CsvTable<Column>> {
  const [head, ...rows] = parseRows(await readText(file), file);
  const columns = [...required, ...optional];
  const names = (head?.cells ?? []).map((name) => name.trim());
  const missing = required.filter((name) => !names.includes(name));
  const unknown = names.filter((name) => !(columns as string[]).includes(name));
  const isRepeated = new Set(names).size < names.length;
  if (missing.length > 0 || unknown.length > 0 || isRepeated)
    throw new CommandRejected(
      `${file}: the first line must name the columns ${required.join(', ')}` +
        (optional.length > 0 ? ` and may name ${optional.join(', ')}` : '') +
        `, each once; it is ${quote(names.join(', '))}`,
    );
  const faults = rows
    .filter(({ cells }) => cells.length > names.length)
    .map(({ line, cells: { length } }) => {
      return { line, text: `: it has ${length} cells, but there are ${names.length} columns` };
    });
  const cellsOf = (cells: readonly string[]) =>
    Object.fromEntries(columns.map((name) => [name, cells[names.indexOf(name)]?.trim() ?? '']));
  return new CsvTable(
    file,
    rows.map(({ line, cells }) => ({ line, cells: cellsOf(cells) as Record<Column, string> })),
    faults,
  );
}

/** Writes what a cell holds for a message. */
export function quote(cell: string): string {
  return JSON.stringify(cell.length > 60 ? `${cell.slice(0, 60)}...` : cell);
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new CommandRejected(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  });
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
