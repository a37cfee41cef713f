import type { ColumnName } from './profile.js';
import type { Question } from './question.js';

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

  /** Returns what was decided, or asks and goes on with anything. */
  decided<Value extends string>(found: Value | Question, otherwise: Value): Value {
    if (typeof found === 'string') return found;
    this.ask(found);
    return otherwise;
  }
}
