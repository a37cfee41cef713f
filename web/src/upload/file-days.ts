import { parseSalesFile } from '../../../src/sales/import/parse-sales-file.js';
import type { ParsedDay } from '../../../src/sales/import/parsed-file.js';

/** A field of a record that the service rejects. */
export interface CellError {
  readonly record: number;
  readonly field: string;
  readonly detail: string;
}

export interface Overwrite {
  readonly hour: string;
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

export type DayState =
  | { readonly kind: 'unassigned' | 'checking' | 'sending' }
  | { readonly kind: 'rejected'; readonly message: string; readonly cells: readonly CellError[] }
  | { readonly kind: 'ready'; readonly overwrites: readonly Overwrite[]; readonly warnings: readonly string[] }
  | { readonly kind: 'saved'; readonly message: string }
  | { readonly kind: 'unchecked' | 'failed'; readonly message: string };

/** One upload: the records of a file for one restaurant and one date. */
export interface FileDay extends ParsedDay {
  readonly id: string;
  readonly file: string;
  readonly state: DayState;
}

export interface ReadFiles {
  readonly days: readonly FileDay[];
  /** Why files cannot be uploaded. */
  readonly problems: readonly string[];
}

let count = 0;

export async function readFiles(files: readonly File[]): Promise<ReadFiles> {
  const read = await Promise.all(files.map(readSalesFile));
  return { days: read.flatMap(({ days }) => days), problems: read.flatMap(({ problems }) => problems) };
}

async function readSalesFile(file: File): Promise<ReadFiles> {
  const text = await textOf(file);
  if (text === undefined) return { days: [], problems: [`${file.name} is not UTF-8 text`] };
  const { days, problems } = parseSalesFile(text);
  if (problems.length > 0) {
    const texts = problems.map(
      ({ line, message }) => `${file.name}${line === null ? '' : `, line ${line}`}: ${message}`,
    );
    return { days: [], problems: texts };
  }
  return {
    days: days.map((day) => ({ ...day, id: String(++count), file: file.name, state: { kind: 'checking' } })),
    problems: [],
  };
}

async function textOf(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}
