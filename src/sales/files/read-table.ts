import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { SALES_FIELDS, type SalesField } from '../fields/sales-fields.js';
import { centsOf, type Decimal, ONE } from './decimals.js';
import { findTitle, type Located } from './find-columns.js';
import {
  addUpColumns,
  type BuiltInProfile,
  type ColumnName,
  type FieldName,
  type Place,
  type SignedColumn,
  sourcesOf,
} from './profile.js';
import { type DecimalSign, DecimalSigns, isNumeric, readAmount } from './read-amounts.js';
import { type DateOrder, datesIn, ordersOf, readDate } from './read-dates.js';
import { type DigitReading, digitReadings, type HourRules, readHour } from './read-hours.js';
import { type Cell, FileRefused, type Row, textOf } from './table.js';

const MINUTES_PER_HOUR = 60;
const DAY_MS = 86_400_000;
const MAX_FAULTS = 10;

/** What a person says about a file that does not say it itself. */
export interface Told {
  readonly restaurant?: string;
  readonly date?: string;
}

/** The figures of a row of a file, or of a part of it: an hour of a till. */
export interface Entry {
  readonly line: number;
  /** How the file names the restaurant. */
  readonly restaurant: string;
  readonly till: string;
  readonly date: string;
  readonly hour: number;
  /** What tells this row from others of the same till and hour. */
  readonly part: string;
  readonly figures: Readonly<Record<FieldName, Decimal>>;
}

export interface ReadTable {
  readonly entries: Entry[];
  readonly faults: string[];
  readonly notes: string[];
}

/** Reads the rows of a table by a profile. */
export class TableReader {
  private readonly faults: string[] = [];
  private readonly notes: string[] = [];
  private readonly dataRows: Row[] = [];
  private readonly totalRows: Row[] = [];
  private readonly emptyColumns = new Set<string>();
  private readonly sums = new Map<number, Decimal>();
  private readonly hourRules: HourRules;
  private readonly sources: readonly FieldColumns[];
  private readonly addUp: readonly ColumnName[];
  private readonly days = new Map<string, string | undefined>();
  private readonly minutes = new Map<string, number | undefined>();

  constructor(
    private readonly profile: BuiltInProfile,
    private readonly located: Located,
    private readonly fileName: string,
    private readonly told: Told,
  ) {
    const { first, next_day } = profile.hour;
    this.sources = SALES_FIELDS.map((field) => ({
      field,
      columns: sourcesOf(profile, field.name),
    }));
    this.addUp = addUpColumns(profile);
    this.hourRules = { ...(first !== undefined && { first }), nextDay: next_day ?? false };
  }

  read(): ReadTable {
    this.sortRows();
    if (this.dataRows.length === 0) this.ask('there is no row with an hour below the headings');
    const entries = this.faults.length > 0 ? [] : this.readEntries();
    if (this.emptyColumns.size > 0)
      this.notes.push(`empty cells were read as 0: ${[...this.emptyColumns].join(', ')}`);
    const more = this.faults.length - MAX_FAULTS;
    if (more > 0) this.faults.splice(MAX_FAULTS, more, `and ${more} more`);
    return { entries, faults: this.faults, notes: this.notes };
  }

  /** Tells rows with figures of an hour from totals and from what is not read. */
  private sortRows(): void {
    const body = this.filledDown().filter(
      // Every line of a file of a fixed width has all its cells.
      (row) => this.isUsed(row) && (this.profile.width === undefined || this.hasAllCells(row)),
    );
    // Rows below the last one with an hour hold totals or remarks.
    const end = body.findLastIndex((row) => this.hasHour(row)) + 1;
    for (const [index, row] of body.entries()) {
      const kind = this.kindOf(row) ?? (index < end ? 'read' : 'total');
      if (kind === 'unknown' && index < end)
        this.refuse(
          row,
          this.profile.rows!.column,
          'is neither read nor skipped: add it to the profile',
        );
      else if (kind === 'total' || kind === 'unknown') this.totalRows.push(row);
      else if (kind !== 'skip' && this.hasAllCells(row)) this.dataRows.push(row);
    }
  }

  private hasHour(row: Row): boolean {
    const text = this.text(row, this.profile.hour.column);
    const readings = ([0, 1] as const).map((digits) => readHour(text, digits, this.hourRules));
    return /^\d/.test(text) || readings.some((minute) => minute !== undefined);
  }

  private kindOf(row: Row): 'read' | 'skip' | 'total' | 'unknown' | undefined {
    const { rows } = this.profile;
    if (!rows) return undefined;
    const text = this.text(row, rows.column);
    const isListed = (list: readonly string[] = []): boolean =>
      list.some((listed) => matches(text, listed));
    if (isListed(rows.order) || isListed(rows.read)) return 'read';
    if (isListed(rows.skip)) return 'skip';
    return isListed(rows.total) ? 'total' : 'unknown';
  }

  /** Puts the cell above into empty ones of columns whose cells were merged. */
  private filledDown(): readonly Row[] {
    const indexes = (this.profile.fill_down ?? []).map((column) => this.index(column));
    if (indexes.length === 0) return this.located.body;
    const above = new Map<number, Cell>();
    return this.located.body.map((row) => {
      const cells = [...row.cells];
      for (const index of indexes) {
        const cell = cells[index] ?? '';
        if (textOf(cell) === '') cells[index] = above.get(index) ?? '';
        else above.set(index, cell);
      }
      return { line: row.line, cells };
    });
  }

  /** Whether a row has anything in the columns of the profile. */
  private isUsed({ cells }: Row): boolean {
    return [...this.located.columns.values()].some((index) => textOf(cells[index]) !== '');
  }

  private hasAllCells({ line, cells }: Row): boolean {
    const { width } = this.located;
    const more = cells.slice(width).some((cell) => textOf(cell) !== '');
    if (!more && cells.length >= width) return true;
    this.faults.push(`line ${line}: ${cells.length} cells instead of ${width}`);
    return false;
  }

  private readEntries(): Entry[] {
    const sign = this.decimalSign();
    const order = this.dateOrder();
    const digits = this.digitReading();
    const fixed = {
      date: this.fixedDate(),
      restaurant: this.fixedText(this.profile.restaurant),
      till: this.fixedText(this.profile.till),
    };
    if (this.faults.length > 0) return [];
    const entries = this.dataRows.flatMap(
      (row) => this.readRow(row, { sign, order, digits, ...fixed }) ?? [],
    );
    this.refuseRepeated(entries);
    if (this.faults.length === 0) for (const row of this.totalRows) this.checkTotal(row, sign);
    return entries;
  }

  private readRow(row: Row, { sign, order, digits, ...fixed }: Readings): Entry | undefined {
    const { restaurant, till, date, hour } = this.profile;
    const day = fixed.date ?? this.dayOf(this.text(row, date.column!), order);
    if (day === undefined) this.refuse(row, date.column!, 'is not a date of this century');
    const minute = this.minuteOf(this.text(row, hour.column), digits);
    if (minute === undefined)
      this.refuse(row, hour.column, hourAdvice(this.text(row, hour.column)));
    const place = fixed.restaurant ?? this.text(row, restaurant.column!);
    if (place === '') this.refuse(row, restaurant.column!, 'is missing: it names the restaurant');
    const figures = this.figuresOf(row, sign);
    if (day === undefined || minute === undefined) return undefined;
    const clock = Math.floor(minute / MINUTES_PER_HOUR);
    return {
      line: row.line,
      restaurant: place,
      till: fixed.till ?? (till?.column === undefined ? '' : this.text(row, till.column)),
      date: clock < HOURS_PER_DAY ? day : nextDay(day),
      hour: clock % HOURS_PER_DAY,
      part: [minute, ...this.addUp.map((column) => this.text(row, column))].join('\t'),
      figures,
    };
  }

  /** Many rows have the same date. */
  private dayOf(text: string, order: DateOrder): string | undefined {
    if (!this.days.has(text)) this.days.set(text, readDate(text, order));
    return this.days.get(text);
  }

  private minuteOf(text: string, digits: DigitReading): number | undefined {
    if (!this.minutes.has(text)) this.minutes.set(text, readHour(text, digits, this.hourRules));
    return this.minutes.get(text);
  }

  private figuresOf(row: Row, sign: DecimalSign): Record<FieldName, Decimal> {
    const figures = {} as Record<FieldName, Decimal>;
    for (const source of this.sources)
      figures[source.field.name] = this.figureOf(row, source, sign);
    const { rows, split } = this.profile;
    if (rows?.order) {
      const text = this.text(row, rows.column);
      figures.orders += rows.order.some((listed) => matches(text, listed)) ? ONE : 0n;
    }
    if (split) this.addSplit(row, figures, sign);
    return figures;
  }

  private figureOf(row: Row, { field, columns }: FieldColumns, sign: DecimalSign): Decimal {
    let sum = 0n;
    for (const source of columns) {
      const amount = this.amountOf(row, source.column, field.kind, sign, field.name === 'gto');
      if (amount === undefined) continue;
      const index = this.index(source.column);
      this.sums.set(index, (this.sums.get(index) ?? 0n) + amount);
      sum = source.sign === 1n ? sum + amount : sum - amount;
    }
    return sum;
  }

  private amountOf(
    row: Row,
    column: ColumnName,
    kind: SalesField['kind'],
    sign: DecimalSign,
    isRequired = false,
  ) {
    if (!this.located.columns.has(column)) return undefined;
    const cell = row.cells[this.index(column)] ?? '';
    if (textOf(cell) === '') {
      if (isRequired) this.refuse(row, column, 'is empty: write 0 if there was nothing');
      this.emptyColumns.add(this.heading(column));
      return undefined;
    }
    const amount = readAmount(cell, sign);
    if (amount === undefined)
      this.refuse(row, column, `is not ${kind === 'count' ? 'a whole number' : 'an amount'}`);
    else if (kind === 'count' && amount % ONE !== 0n)
      this.refuse(row, column, 'is not a whole number');
    else if (kind === 'amount' && this.profile.cents && /[.,]/.test(textOf(cell)))
      this.refuse(row, column, 'is not a whole number of cents');
    else return kind === 'amount' && this.profile.cents ? centsOf(amount) : amount;
    return undefined;
  }

  private addSplit(row: Row, figures: Record<FieldName, Decimal>, sign: DecimalSign): void {
    const { column, by, into, else: otherwise } = this.profile.split!;
    const amount = this.amountOf(row, column, 'amount', sign);
    if (amount === undefined || amount === 0n) return;
    const text = this.text(row, by);
    const listed = Object.keys(into).find((each) => matches(text, each));
    const field = listed === undefined ? otherwise : into[listed];
    if (field === undefined) this.refuse(row, by, 'is a payment that the profile does not know');
    else figures[field] += amount;
  }

  /** A row without an hour must be the sum of the rows above, or a remark without figures. */
  private checkTotal(row: Row, sign: DecimalSign): void {
    for (const [index, sum] of this.sums) {
      const cell = row.cells[index] ?? '';
      if (!isNumeric(cell)) continue;
      const isCount = this.countColumns().has(index);
      const amount = readAmount(cell, sign);
      const total =
        amount !== undefined && this.profile.cents && !isCount ? centsOf(amount) : amount;
      if (total === sum) continue;
      this.refuse(
        row,
        this.columnAt(index),
        'is not the sum of the rows above: are rows missing, or is this row a subtotal?',
      );
    }
  }

  /** Two rows of an hour are added up only if the profile says what tells them apart. */
  private refuseRepeated(entries: readonly Entry[]): void {
    const lines = new Map<string, number>();
    const repeated: (readonly [number, Entry])[] = [];
    for (const entry of entries) {
      const key = keyOf(entry);
      const earlier = lines.get(key);
      if (earlier === undefined) lines.set(key, entry.line);
      else repeated.push([earlier, entry]);
    }
    if (repeated.length === 0) return;
    const telling = this.tellingColumns(repeated.map(([line, entry]) => [line, entry.line]));
    const advice =
      telling.length > 0
        ? `if they add up, name what tells them apart (${telling.join(', ')}) in the profile as add_up`
        : 'nothing tells them apart: is it twice, or are they parts of an hour?';
    for (const [line, { line: again, date, hour }] of repeated)
      this.faults.push(`lines ${line} and ${again} are both of ${date}, hour ${hour}: ${advice}`);
  }

  /** Finds the columns that are not used and differ between the rows of each pair. */
  private tellingColumns(pairs: readonly (readonly [number, number])[]): string[] {
    const { table, body, columns } = this.located;
    const rows = new Map(body.map((row) => [row.line, row]));
    const used = new Set(columns.values());
    const headings = table.rows[table.rows.length - body.length - 1]?.cells.map(textOf) ?? [];
    return headings.filter((heading, index) => {
      const cellOf = (line: number): string => textOf(rows.get(line)?.cells[index]);
      return (
        !used.has(index) &&
        heading !== '' &&
        pairs.every(([one, two]) => cellOf(one) !== cellOf(two))
      );
    });
  }

  private countColumns(): Set<number> {
    const counts = SALES_FIELDS.filter(({ kind }) => kind === 'count');
    return new Set(
      counts.flatMap(({ name }) =>
        sourcesOf(this.profile, name).map(({ column }) => this.index(column)),
      ),
    );
  }

  private decimalSign(): DecimalSign {
    if (this.profile.decimal) return this.profile.decimal;
    const signs = new DecimalSigns();
    const indexes = this.amountIndexes();
    for (const { cells } of this.dataRows)
      for (const index of indexes) signs.add(cells[index] ?? '');
    const decided = signs.decide();
    if (typeof decided === 'string') return decided;
    this.faults.push(decided.question);
    return '.';
  }

  private amountIndexes(): number[] {
    const named = SALES_FIELDS.flatMap(({ name }) =>
      sourcesOf(this.profile, name).map(({ column }) => column),
    );
    const columns = [...named, ...(this.profile.split ? [this.profile.split.column] : [])];
    return columns.flatMap((column) => this.located.columns.get(column) ?? []);
  }

  private dateOrder(): DateOrder {
    const { column, order } = this.profile.date;
    if (order || column === undefined) return order ?? 'ymd';
    const cells = new Set(this.dataRows.map((row) => this.text(row, column)));
    return this.decideOrder(cells, `${this.heading(column)}: ${[...cells][0] ?? ''}`);
  }

  private decideOrder(cells: ReadonlySet<string>, shown: string): DateOrder {
    const [order = 'ymd', ...others] = ordersOf(cells);
    if (others.length > 0)
      this.faults.push(
        `${shown} may be day first or month first: say in the profile which (order: dmy or mdy)`,
      );
    return order;
  }

  private digitReading(): DigitReading {
    const { column, first } = this.profile.hour;
    const heading = this.heading(column);
    if (first === undefined && /\b(end|ends|ending|until|till|bis)\b/i.test(heading))
      this.faults.push(
        `${heading}: does it begin or end the hour? Say in the profile: first 0 or 1`,
      );
    const readings = digitReadings(
      this.dataRows.map((row) => this.text(row, column)),
      this.hourRules,
    );
    if (readings.length > 1)
      this.faults.push(
        `${heading}: its digits may be hours, or hours and minutes: write them as 09:00`,
      );
    return readings[0] ?? 0;
  }

  /** Returns the date that holds for the whole table; undefined if each row has its own. */
  private fixedDate(): string | undefined {
    const { column, from, order } = this.profile.date;
    if (column !== undefined) return undefined;
    if (from === 'told')
      return (
        readDate(this.told.date ?? '', 'ymd') ??
        this.ask('which day is it? Say it as YYYY-MM-DD (--date)')
      );
    const where =
      from === undefined
        ? 'the title'
        : `the name of the ${from === 'file_name' ? 'file' : 'sheet'}`;
    const { texts } = datesIn(this.placeText(this.profile.date), order);
    const dates = new Set(texts);
    const read = order ?? this.decideOrder(dates, where);
    const found = new Set([...dates].map((text) => readDate(text, read)));
    if (found.size === 1) return [...found][0];
    return this.ask(
      found.size === 0
        ? `${where} has no date`
        : `${where} has ${found.size} dates: figures of several days cannot be told apart`,
    );
  }

  private fixedText(place: Place | undefined): string | undefined {
    if (!place || place.column !== undefined) return undefined;
    if (place.from === 'told')
      return (
        this.told.restaurant ?? this.ask('which restaurant is it? Say its number (--restaurant)')
      );
    const { rest } = datesIn(this.placeText(place), this.profile.date.order);
    const text = rest.replace(/\.\w{1,4}$/, '').replace(/^[\s_,;.-]+|[\s_,;.-]+$/g, '');
    return text === ''
      ? this.ask('the name or title that should name the restaurant or till is empty')
      : text;
  }

  private placeText({ from, title = '' }: Place): string {
    if (from === 'file_name') return this.fileName;
    return from === 'sheet_name' ? this.located.table.sheet : findTitle(this.located.titles, title);
  }

  private ask(question: string): string | undefined {
    this.faults.push(question);
    return undefined;
  }

  private refuse(row: Row, column: ColumnName, why: string): void {
    const cell = this.text(row, column);
    this.faults.push(
      `line ${row.line}, ${this.heading(column)}: ${cell === '' ? '(empty)' : cell} ${why}`,
    );
  }

  private index(column: ColumnName): number {
    const index = this.located.columns.get(column);
    if (index === undefined) throw new FileRefused(`has no column ${column}`);
    return index;
  }

  private text(row: Row, column: ColumnName): string {
    return textOf(row.cells[this.located.columns.get(column) ?? -1]);
  }

  private heading(column: ColumnName): string {
    return typeof column === 'number' ? `column ${column}` : column;
  }

  private columnAt(index: number): ColumnName {
    return [...this.located.columns].find(([, at]) => at === index)![0];
  }
}

/** Tells the rows of a file, or of several, apart. */
export const keyOf = ({ restaurant, till, date, hour, part }: Entry): string =>
  [restaurant, date, hour, till, part].join('\n');

interface FieldColumns {
  readonly field: SalesField;
  readonly columns: readonly SignedColumn[];
}

interface Readings {
  readonly sign: DecimalSign;
  readonly order: DateOrder;
  readonly digits: DigitReading;
  readonly date: string | undefined;
  readonly restaurant: string | undefined;
  readonly till: string | undefined;
}

/** Compares a cell with a text of a profile, which may end in `*`. */
function matches(cell: string, listed: string): boolean {
  const [text, pattern] = [cell.toLowerCase(), listed.toLowerCase()];
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}

const nextDay = (date: string): string =>
  new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);

function hourAdvice(cell: string): string {
  return Number(cell) >= HOURS_PER_DAY
    ? 'is not an hour of this date: hours after midnight belong to the next date; a profile can say how this source counts (first, next_day)'
    : 'is not an hour';
}
