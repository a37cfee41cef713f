import type { Located } from './find-columns.js';
import type { Findings } from './findings.js';
import {
  type BuiltInProfile,
  type ColumnName,
  hourColumns,
  namedTotals,
  rowRules,
} from './profile.js';
import { ask } from './question.js';
import { splitMoment } from './read-dates.js';
import {
  bestMatch,
  type Cell,
  matchesPattern,
  normalHeading,
  type Row,
  textOf,
  wholeText,
  WrittenNumber,
} from './table.js';

/** What a row may be by the rules of a profile; the first one that any rule says counts. */
const ROW_KINDS = ['skip', 'unknown', 'total', 'order', 'read'] as const;
type RowKind = (typeof ROW_KINDS)[number];

/** Tells the rows with figures of an hour from all others, of which nothing is passed over. */
export class RowSorter {
  readonly data: Row[] = [];
  readonly totals: Row[] = [];
  private readonly rules: readonly { column: ColumnName; kinds: ReadonlyMap<string, RowKind> }[];
  private readonly hours: readonly number[];

  constructor(
    private readonly profile: BuiltInProfile,
    private readonly located: Located,
    private readonly findings: Findings,
  ) {
    const { columns } = located;
    this.hours = hourColumns(profile).map((column) => columns.get(column)!);
    this.rules = rowRules(profile)
      .filter(({ column }) => columns.has(column))
      .map(({ column, ...texts }) => ({
        column,
        kinds: new Map(
          Object.entries(texts).flatMap(([kind, all]) =>
            all.map((text) => [text, kind as RowKind] as const),
          ),
        ),
      }));
  }

  sort(): void {
    const { body, headings, columns } = this.located;
    const used = [...columns.values()];
    const isHeading = ({ cells }: Row): boolean =>
      headings !== undefined &&
      used.every((at) => textOf(cells[at]) === textOf(headings.cells[at]));
    const last = body.findLastIndex((row) => this.hasHour(row));
    for (const [index, row] of body.entries()) {
      if (this.isSkipped(row) || isHeading(row)) continue;
      // Every line of a file of a fixed width has all its cells.
      if (this.profile.width !== undefined && !this.hasAllCells(row)) continue;
      const kind = this.kindOf(row);
      const isRow = this.hasFigures(row) || this.hasHour(row);
      if (kind === 'skip') continue;
      if (kind === 'total' || (isRow && index > last)) this.totals.push(row);
      else if (kind === 'unknown' && index < last) this.refuseUnknown(row);
      else if (!isRow) this.leaveOut(row, index > last);
      else if (this.hasAllCells(row)) this.data.push(row);
    }
    if (this.data.length === 0)
      this.findings.add('there is no row with an hour below the headings');
  }

  text(row: Row, column: ColumnName): string {
    return textOf(row.cells[this.located.columns.get(column) ?? -1]);
  }

  hourText({ cells }: Row): string {
    const [first = '', ...others] = this.hours.map((at) => hourText(cells[at]));
    return others.length === 0 ? first : [first, ...others].join(' ').trim();
  }

  /** What a row is by all rules: it is read only if each rule reads it. */
  kindOf(row: Row): RowKind | undefined {
    if (this.rules.length === 0) return undefined;
    const kinds = this.rules.map((rule) => this.kindBy(rule, row));
    return ROW_KINDS.find((kind) => kinds.includes(kind));
  }

  private kindBy({ column, kinds }: (typeof this.rules)[number], row: Row): RowKind {
    return bestMatch(this.text(row, column), kinds) ?? 'unknown';
  }

  private refuseUnknown(row: Row): void {
    const { column } = this.rules.find((rule) => this.kindBy(rule, row) === 'unknown')!;
    const why = 'is neither read nor skipped: add it to the profile (rows)';
    this.findings.refuse(row.line, column, this.text(row, column), why);
  }

  /** Whether a row tells an hour, which begins with a digit or follows a date. */
  private hasHour(row: Row): boolean {
    const text = this.hourText(row);
    return /^\d/.test(text) || (text !== '' && splitMoment(text).date !== '');
  }

  private hasFigures({ cells }: Row): boolean {
    return this.located.sources.some(({ index }) => /\d/.test(textOf(cells[index])));
  }

  private hasAllCells({ line, cells }: Row): boolean {
    const { width } = this.located;
    if (cells.length >= width && cells.slice(width).every((cell) => textOf(cell) === ''))
      return true;
    this.findings.add(`line ${line}: ${cells.length} cells instead of ${width}`);
    return false;
  }

  private isSkipped(row: Row): boolean {
    const { skip_lines: patterns } = this.profile;
    if (!patterns) return false;
    const texts = [wholeText(row), textOf(row.cells.find((cell) => textOf(cell) !== ''))];
    return patterns.some((pattern) => texts.some((text) => matchesPattern(text, pattern)));
  }

  /** Asks about a line that is neither a row nor skipped; profiles of earlier releases note those below. */
  private leaveOut(row: Row, isBelow: boolean): void {
    const text = wholeText(row);
    const isTotal = namedTotals(this.profile).some(
      ({ title }) => title !== undefined && normalHeading(text).startsWith(normalHeading(title)),
    );
    if (isTotal) return;
    if (this.profile.unchecked && isBelow) {
      this.findings.note(`line ${row.line}: not read: ${text}`);
      return;
    }
    const pattern = text.slice(0, 100).replace(/\d(?:[\d\W]*\d)?/g, '*');
    this.findings.ask(
      ask(
        'skip_lines',
        `line ${row.line}: ${text.slice(0, 200)} is not a row of an hour: does it say more of the rows, or is it skipped (skip_lines)?`,
        [[text.length > 100 ? `${pattern}*` : pattern, 'lines like it are skipped']],
      ),
    );
  }
}

/** A number of a workbook with decimals is not an hour: it may be a share of a day. */
function hourText(cell: Cell | undefined): string {
  const text = textOf(cell);
  return cell instanceof WrittenNumber && text.includes('.') ? `${text} as a number` : text;
}
