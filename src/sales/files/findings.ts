import type { ColumnName } from './profile.js';
import { ask, type Question } from './question.js';

/** Faults and questions that are kept of a file. */
const MAX_KEPT = 10;

export const headingOf = (column: ColumnName): string =>
  typeof column === 'number' ? `column ${column}` : column;

/** What is wrong with a file, what has to be asked about it, and what a person should know of it. */
export class Findings {
  /** Names the sheet of a workbook. */
  where = '';
  readonly questions: Question[] = [];
  readonly notes: string[] = [];
  private readonly first: string[] = [];
  private count = 0;

  get hasFaults(): boolean {
    return this.count > 0;
  }

  isEmpty(): boolean {
    return this.count + this.questions.length === 0;
  }

  /** The first faults, and how many more there are. */
  get faults(): string[] {
    const more = this.count - this.first.length;
    return more > 0 ? [...this.first, `and ${more} more`] : this.first;
  }

  add(fault: string): void {
    this.count++;
    if (this.first.length < MAX_KEPT) this.first.push(this.where + fault);
  }

  note(note: string): void {
    this.notes.push(this.where + note);
  }

  ask(question: Question): void {
    if (this.questions.length < MAX_KEPT)
      this.questions.push({ ...question, text: this.where + question.text });
  }

  refuse(line: number, column: ColumnName, cell: string, why: string): void {
    const shown = cell === '' ? '(empty)' : cell.slice(0, 100);
    this.add(`line ${line}, ${headingOf(column)}: ${shown} ${why}`);
  }
}

/** What is written in one of several ways, and how each way reads a cell. */
interface Ways<Way extends string, Cell> {
  /** The option of the profile that says which way it is. */
  readonly option: string;
  readonly ways: readonly Way[];
  readonly cells: Iterable<Cell>;
  readonly read: (cell: Cell, way: Way) => unknown;
  /** What a way makes of a cell. */
  readonly label: (way: Way, cell: Cell) => string;
}

/**
 * Returns the only way in which every cell can be read, or asks and goes on with one; ways that read
 * all cells alike count as one. What no way can read is left to who reads the cell itself.
 */
export function wayToRead<Way extends string, Cell>(
  findings: Findings,
  where: string,
  { option, ways, cells, read, label }: Ways<Way, Cell>,
): Way {
  let left = ways.map((way) => ({ way, values: [] as unknown[] }));
  let example: Cell | undefined;
  for (const cell of cells) {
    for (const { way, values } of left) values.push(read(cell, way));
    const able = left.filter(({ values }) => values.at(-1) !== undefined);
    if (able.length > 0) {
      left = able;
      example ??= cell;
    }
    if (left.length === 1) break;
  }
  const byValues = new Map(left.toReversed().map(({ way, values }) => [values.join('\n'), way]));
  const [way, ...others] = [...byValues.values()].reverse();
  if (others.length === 0 || example === undefined) return way!;
  const labels = [way!, ...others].map((each) => [each, label(each, example)] as const);
  const may = labels.map(([, text]) => text).join(' or ');
  const text = `${where}: ${String(example)} may be ${may}: which one (${option})?`;
  findings.ask(ask(option, text, labels));
  return way!;
}
