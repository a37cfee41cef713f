import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { SALES_FIELDS, type SalesField } from '../fields/sales-fields.js';
import { add, centsOf, type Decimal, isWhole, negated, ONE } from './decimals.js';
import { type Entry, keyOf } from './entry.js';
import { findTitle, type Located } from './find-columns.js';
import { questionOfOrder } from './hour-order.js';
import {
  addUpColumns,
  type BuiltInProfile,
  type ColumnName,
  type FieldName,
  hourColumns,
  isBuiltIn,
  isGiven,
  type Place,
  rowRules,
  sourcesOf,
} from './profile.js';
import {
  type DecimalSign,
  decimalSignOf,
  isNoAmount,
  isNumeric,
  otherSign,
  readAmount,
} from './read-amounts.js';
import {
  type DateOrder,
  datePart,
  datesIn,
  datesNear,
  namesPeriod,
  nextDay,
  ordersOf,
  otherDateIn,
  readDate,
  splitMoments,
} from './read-dates.js';
import {
  type DigitReading,
  digitReadings,
  hourText,
  MINUTES_PER_HOUR,
  readHour,
} from './read-hours.js';
import { questionOfSums } from './row-sums.js';
import {
  type Cell,
  FileRefused,
  type Progress,
  type Row,
  ROWS_PER_REPORT,
  textOf,
  wholeText,
  WorkbookNumber,
} from './table.js';
import { bodyOf } from './table-body.js';

const MAX_FAULTS = 10;

/** How a workbook's date with a time is written here, and one at midnight. */
const MOMENT = /^\d{4}-\d\d-\d\d \d/;
const BARE_DATE = /^\d{4}-\d\d-\d\d$/;

const ROW_KINDS = ['total', 'skip', 'order', 'read'] as const;
type RowKind = (typeof ROW_KINDS)[number];

/** What a copy of a file has in its name besides: `(1)`, or the time of an export behind its date. */
const COPY = /\s*\(\d+\)|(?<=\s)[-_T](?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?!\d)/g;

/** Words in the heading of an hour that say its end. */
const END_OF_HOUR =
  /\b(?:end|ends|ending|to|until|till|bis|finish|close|fin|hasta|einde|selesai)\b|結束|结束/i;

const HALF = /^[ap]\.?\s?m\.?$/i;
const NOON = 12 * MINUTES_PER_HOUR;

/** What a person says about a file that does not say it itself. */
export interface Told {
  readonly restaurant?: string | undefined;
  readonly date?: string | undefined;
}

export interface ReadTable {
  readonly entries: Entry[];
  readonly faults: string[];
  readonly notes: string[];
}

/** Reads the rows of a table by a profile. */
export class TableReader {
  private readonly faults: string[] = [];
  private faultCount = 0;
  private readonly notes: string[] = [];
  private readonly dataRows: Row[] = [];
  private readonly totalRows: Row[] = [];
  private readonly emptyColumns = new Set<string>();
  /** The sum of each column of figures, and whether it counts. */
  private readonly sums = new Map<number, { sum: Decimal; readonly isCount: boolean }>();
  private readonly sources: readonly FieldColumns[];
  private readonly addUp: readonly number[];
  /** The kinds of rows, and the fields of payments, by the texts of the profile. */
  private readonly rules: readonly { column: ColumnName; kinds: ReadonlyMap<string, RowKind> }[];
  private readonly payments: ReadonlyMap<string, FieldName>;
  private readonly hourIndexes: readonly number[];
  /** Whether a column has dates with times: a workbook leaves out that of midnight. */
  private readonly hasMoments: boolean;
  private readonly days = new Map<string, string | undefined>();
  private readonly minutes = new Map<string, number | undefined>();

  constructor(
    private readonly profile: BuiltInProfile,
    private readonly located: Located,
    private readonly fileName: string,
    private readonly told: Told,
  ) {
    this.addUp = addUpColumns(profile).map((column) => this.index(column));
    this.rules = rowRules(profile).map((rule) => ({
      column: rule.column,
      kinds: new Map(ROW_KINDS.flatMap((kind) => (rule[kind] ?? []).map((text) => [text, kind]))),
    }));
    this.payments = new Map(Object.entries(profile.split?.into ?? {}));
    this.hourIndexes = hourColumns(profile).map((column) => this.index(column));
    const [hour = -1] = this.hourIndexes;
    this.hasMoments = located.body.some(({ cells }) => MOMENT.test(textOf(cells[hour])));
    this.sources = SALES_FIELDS.map((field) => ({
      field,
      columns: sourcesOf(profile, field.name).flatMap(({ column, isTakenAway }) => {
        const index = located.columns.get(column);
        if (index === undefined) return [];
        this.sums.set(index, { sum: 0, isCount: field.kind === 'count' });
        return [{ column, index, isTakenAway }];
      }),
    }));
  }

  read(progress?: Progress): ReadTable {
    this.sortRows();
    if (this.dataRows.length === 0)
      this.addFault('there is no row with an hour below the headings');
    const entries = this.faultCount > 0 ? [] : this.readEntries(progress);
    if (this.emptyColumns.size > 0)
      this.notes.push(`empty cells were read as 0: ${[...this.emptyColumns].join(', ')}`);
    const more = this.faultCount - this.faults.length;
    if (more > 0) this.faults.push(`and ${more} more`);
    return { entries, faults: this.faults, notes: this.notes };
  }

  /** Tells rows with figures of an hour from totals and from what is not read. */
  private sortRows(): void {
    const hasHour = (row: Row): boolean => this.hasHour(row);
    const { rows, faults, notes } = bodyOf(this.located, this.profile, hasHour, [
      ...this.sums.keys(),
    ]);
    for (const fault of faults) this.addFault(fault);
    this.notes.push(...notes);
    // Rows below the last one with an hour hold totals or remarks.
    const end = rows.findLastIndex(hasHour) + 1;
    for (const [index, row] of rows.entries()) {
      // Every line of a file of a fixed width has all its cells.
      if (this.profile.width !== undefined && !this.hasAllCells(row)) continue;
      const kind = this.kindOf(row) ?? (index < end ? 'read' : 'total');
      if (kind === 'unknown' && index < end)
        this.refuse(
          row,
          this.unknownColumn(row),
          'is neither read nor skipped: add it to the profile',
        );
      else if (kind === 'total' || kind === 'unknown') this.totalRows.push(row);
      else if (kind !== 'skip' && this.hasAllCells(row)) this.dataRows.push(row);
    }
  }

  private hasHour(row: Row): boolean {
    const text = this.hourText(row);
    const hasFigure = (): boolean =>
      [...this.sums.keys()].some((at) => /\d/.test(textOf(row.cells[at])));
    return (
      (/^\d/.test(text) && hasFigure()) ||
      ([0, 1] as const).some((digits) => this.minuteOf(text, digits) !== undefined)
    );
  }

  /** What a row is by all rules: it is read only if each rule reads it. */
  private kindOf(row: Row): RowKind | 'unknown' | undefined {
    const kinds = this.rules.map((rule) => this.kindBy(rule, row));
    const rank = (['skip', 'unknown', 'total', 'order', 'read'] as const).find((kind) =>
      kinds.includes(kind),
    );
    return rank;
  }

  private kindBy({ column, kinds }: (typeof this.rules)[number], row: Row): RowKind | 'unknown' {
    return bestMatch(this.text(row, column), kinds) ?? 'unknown';
  }

  private unknownColumn(row: Row): ColumnName {
    return this.rules.find((rule) => this.kindBy(rule, row) === 'unknown')!.column;
  }

  private hasAllCells({ line, cells }: Row): boolean {
    const { width } = this.located;
    let hasMore = false;
    for (let at = width; at < cells.length; at++) hasMore ||= textOf(cells[at]) !== '';
    if (!hasMore && cells.length >= width) return true;
    this.addFault(`line ${line}: ${cells.length} cells instead of ${width}`);
    return false;
  }

  private readEntries(progress?: Progress): Entry[] {
    const readings = {
      sign: this.decimalSign(),
      order: this.dateOrder(),
      digits: this.digitReading(),
      date: this.fixedDate(),
      restaurant: this.fixedText(this.profile.restaurant),
      till: this.fixedText(this.profile.till),
    };
    this.askOfHalves(readings.digits);
    if (this.faultCount > 0) return [];
    const entries: Entry[] = [];
    for (const [index, row] of this.dataRows.entries()) {
      if (index % ROWS_PER_REPORT === 0) progress?.(index / this.dataRows.length);
      const entry = this.readRow(row, readings);
      if (entry) entries.push(entry);
    }
    this.refuseRepeated(entries);
    if (this.profile.date.column === this.hourColumn && areDays(entries))
      this.addFault('every row is of hour 0: are these the sums of whole days?');
    const questions = [questionOfSums(entries), questionOfOrder(entries, this.asksOfOrder())];
    for (const question of questions) if (question !== undefined) this.addFault(question);
    if (this.faultCount === 0)
      for (const row of this.totalRows) this.checkTotal(row, readings.sign);
    return entries;
  }

  /** Refuses hours that a column which is not read says to be in the other half of the day. */
  private askOfHalves(digits: DigitReading): void {
    const used = new Set(this.located.columns.values());
    const ignored = new Set(this.profile.ignore);
    const headingAt = (index: number): string => textOf(this.located.headings?.cells[index]);
    const at = Array.from({ length: this.located.width }, (_, index) => index).find(
      (index) =>
        !used.has(index) &&
        !ignored.has(headingAt(index)) &&
        this.dataRows.every(({ cells }) => HALF.test(textOf(cells[index]))),
    );
    const isMisread = (row: Row): boolean => {
      const isAfternoon = this.minuteOf(this.hourText(row), digits)! >= NOON;
      return isAfternoon !== /^p/i.test(textOf(row.cells[at!]));
    };
    if (at === undefined || !this.dataRows.some(isMisread)) return;
    const column = headingAt(at) || at + 1;
    const columns = JSON.stringify([this.hourColumn, column]);
    this.addFault(
      `${headingOf(column)} says am or pm: name it in the profile beside the hour (hour.column: ${columns}), or as one to ignore`,
    );
  }

  /** The formats of the service say themselves what an hour and its date are. */
  private asksOfOrder(): Parameters<typeof questionOfOrder>[1] {
    const { name, hour } = this.profile;
    const isOwn = isBuiltIn(name);
    const isTold = hour.day_begins !== undefined;
    const hasText = (pattern: RegExp): boolean =>
      this.dataRows.some((row) => pattern.test(this.hourText(row)));
    return {
      afternoon: !isTold && (!isOwn || hasText(/\D/)) && !hasText(/\d\s*[ap]\.?\s?m?\b/i),
      nextDay: !isOwn && !isTold,
    };
  }

  private readRow(row: Row, { sign, order, digits, ...fixed }: Readings): Entry | undefined {
    const { restaurant, till, date, hour } = this.profile;
    const day = fixed.date ?? this.dayOf(this.dateText(row), order);
    if (day === undefined) this.refuse(row, date.column!, 'is not a date of this century');
    const text = this.hourText(row);
    const minute = this.minuteOf(text, digits);
    if (minute === undefined) this.refuse(row, this.hourColumn, hourAdvice(text));
    const isDatedNext = day !== undefined && this.isDatedNext(row, text, day);
    const place = fixed.restaurant ?? this.text(row, restaurant.column!);
    if (place === '') this.refuse(row, restaurant.column!, 'is missing: it names the restaurant');
    const figures = this.figuresOf(row, sign);
    if (day === undefined || minute === undefined) return undefined;
    const clock = Math.floor(minute / MINUTES_PER_HOUR);
    const isNextDay = isDatedNext || clock >= HOURS_PER_DAY || clock < (hour.day_begins ?? 0);
    const machine = fixed.till ?? (till?.column === undefined ? '' : this.text(row, till.column));
    const parts = this.addUp.map((index) => textOf(row.cells[index]));
    return {
      line: row.line,
      restaurant: place,
      till: machine,
      date: isNextDay ? nextDay(day) : day,
      hour: clock % HOURS_PER_DAY,
      part: [minute, ...parts].join('\t'),
      figures,
    };
  }

  /** Many rows have the same date. */
  private dayOf(cell: string, order: DateOrder): string | undefined {
    const known = this.days.get(cell);
    if (known !== undefined) return known;
    const day = readDate(cell, order);
    this.days.set(cell, day);
    return day;
  }

  /** Whether the hour has a date of its own, the one after that of its row. */
  private isDatedNext(row: Row, text: string, day: string): boolean {
    const [written] = splitMoments(text).dates;
    if (written === undefined || this.profile.date.column === this.hourColumn) return false;
    const readings = datesNear(written, day);
    if (readings.includes(day) || readings.length === 0) return false;
    if (readings.includes(nextDay(day))) return true;
    this.refuse(row, this.hourColumn, `is not of ${day}, the date of its row`);
    return false;
  }

  private minuteOf(text: string, digits: DigitReading): number | undefined {
    const key = `${digits}${text}`;
    if (!this.minutes.has(key)) {
      const { first = 0, next_day: nextDay = false } = this.profile.hour;
      this.minutes.set(key, readHour(text, digits, { first, nextDay }));
    }
    return this.minutes.get(key);
  }

  private figuresOf(row: Row, sign: DecimalSign): Record<FieldName, Decimal> {
    const figures = {} as Record<FieldName, Decimal>;
    for (const source of this.sources)
      figures[source.field.name] = this.figureOf(row, source, sign);
    const { split } = this.profile;
    if (this.kindOf(row) === 'order') figures.orders = add(figures.orders, ONE);
    if (split) this.addSplit(row, figures, sign);
    return figures;
  }

  private figureOf(row: Row, { field, columns }: FieldColumns, sign: DecimalSign): Decimal {
    let sum: Decimal = 0;
    for (const { column, index, isTakenAway } of columns) {
      const amount = this.amountOf(row, column, field.kind, sign, field.name === 'gto');
      if (amount === undefined) continue;
      const total = this.sums.get(index)!;
      total.sum = add(total.sum, amount);
      sum = add(sum, isTakenAway ? negated(amount) : amount);
    }
    return sum;
  }

  private amountOf(
    row: Row,
    column: ColumnName,
    kind: SalesField['kind'],
    sign: DecimalSign,
    isRequired = false,
  ): Decimal | undefined {
    const cell = row.cells[this.index(column)] ?? '';
    const amount = readAmount(cell, sign);
    if (amount === undefined && isNoAmount(cell)) {
      if (isRequired) this.refuse(row, column, 'is empty: write 0 if there was nothing');
      else this.emptyColumns.add(headingOf(column));
    } else if (amount === undefined && readAmount(cell, otherSign(sign)) !== undefined)
      this.refuse(
        row,
        column,
        sign === '.'
          ? 'has a decimal comma, and other cells a decimal point: export the file again with one of them'
          : 'has a decimal point, and other cells a decimal comma: export the file again with one of them',
      );
    else if (amount === undefined)
      this.refuse(row, column, `is not ${kind === 'count' ? 'a whole number' : 'an amount'}`);
    else if (kind === 'count')
      if (isWhole(amount)) return amount;
      else this.refuse(row, column, 'is not a whole number');
    else if (!this.profile.cents) return amount;
    else if (/[.,]/.test(textOf(cell))) this.refuse(row, column, 'is not a whole number of cents');
    else return centsOf(amount);
    return undefined;
  }

  private addSplit(row: Row, figures: Record<FieldName, Decimal>, sign: DecimalSign): void {
    const { column, by, else: otherwise } = this.profile.split!;
    const text = this.text(row, by);
    const name = bestMatch(text, this.payments) ?? otherwise;
    const field = SALES_FIELDS.find((each) => each.name === name);
    const amount = this.amountOf(row, column, field?.kind ?? 'amount', sign);
    if (amount === undefined || amount === 0) return;
    if (field) figures[field.name] = add(figures[field.name], amount);
    else this.refuse(row, by, 'is a payment that the profile does not know');
  }

  /** A row without an hour must be the sum of the rows above, or a remark without figures. */
  private checkTotal(row: Row, sign: DecimalSign): void {
    for (const [index, { sum, isCount }] of this.sums) {
      const cell = row.cells[index] ?? '';
      if (!isNumeric(cell)) continue;
      const amount = readAmount(cell, sign);
      const isCents = amount !== undefined && this.profile.cents && !isCount;
      if ((isCents ? centsOf(amount) : amount) === sum) continue;
      const [column] = [...this.located.columns].find(([, at]) => at === index)!;
      this.refuse(
        row,
        column,
        'is not the sum of the rows above: are rows missing, or is this row a subtotal? Then skip it in the profile (rows)',
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
      this.addFault(`lines ${line} and ${again} are both of ${date}, hour ${hour}: ${advice}`);
  }

  /** Finds the columns that are not used and differ between the rows of each pair. */
  private tellingColumns(pairs: readonly (readonly [number, number])[]): string[] {
    const { headings, body, columns } = this.located;
    const rows = new Map(body.map((row) => [row.line, row]));
    const used = new Set(columns.values());
    return (headings?.cells.map(textOf) ?? []).filter((heading, index) => {
      const cellOf = (line: number): string => textOf(rows.get(line)?.cells[index]);
      const tells = ([one, two]: readonly [number, number]): boolean =>
        cellOf(one) !== cellOf(two) && !HALF.test(cellOf(one));
      return !used.has(index) && heading !== '' && pairs.every(tells);
    });
  }

  private decimalSign(): DecimalSign {
    if (this.profile.decimal) return this.profile.decimal;
    const { split } = this.profile;
    const indexes = [...this.sums.keys(), ...(split ? [this.index(split.column)] : [])];
    const decided = decimalSignOf(cellsOf(this.dataRows, indexes));
    if (typeof decided === 'string') return decided;
    this.addFault(decided.question);
    return '.';
  }

  private dateOrder(): DateOrder {
    const { column, order } = this.profile.date;
    if (order || column === undefined) return order ?? 'ymd';
    const cells = new Set(this.dataRows.map((row) => datePart(this.dateText(row))));
    return this.decideOrder(cells, `${headingOf(column)}: ${[...cells][0] ?? ''}`);
  }

  private decideOrder(cells: ReadonlySet<string>, shown: string): DateOrder {
    const [order = 'ymd', ...others] = ordersOf(cells);
    if (others.length > 0)
      this.addFault(
        `${shown} may be day first or month first: say in the profile which (order: ${[order, ...others].join(' or ')})`,
      );
    return order;
  }

  private digitReading(): DigitReading {
    const { first, next_day: nextDay = false } = this.profile.hour;
    const heading = headingOf(this.hourColumn);
    if (first === undefined && END_OF_HOUR.test(heading.replace(/([a-z])(?=[A-Z])|_/g, '$1 ')))
      this.addFault(`${heading}: does it begin or end the hour? Say in the profile: first 0 or 1`);
    const texts = new Set(this.dataRows.map((row) => this.hourText(row)));
    const readings = digitReadings(texts, { first: first ?? 0, nextDay });
    if (readings.length > 1)
      this.addFault(
        `${heading}: its digits may be hours, or hours and minutes: write them as 09:00`,
      );
    return readings[0] ?? 0;
  }

  /** Returns the date that holds for the whole table; undefined if each row has its own. */
  private fixedDate(): string | undefined {
    const { column, order } = this.profile.date;
    if (column !== undefined) return undefined;
    const day = isGiven(this.profile.date) ? this.toldDate() : this.placedDate(order);
    if (day === undefined) return undefined;
    const other = this.otherDate(day);
    if (this.namesPeriod())
      this.addFault(
        'its name or a title speaks of several days, whose figures cannot be told apart: export each day',
      );
    else if (other !== undefined)
      this.addFault(
        `it speaks of ${other}, and ${day} was ${isGiven(this.profile.date) ? 'given' : 'read'}: figures of several days cannot be told apart`,
      );
    return day;
  }

  /** Finds another date in the titles and below the figures, or in the names beside a told one. */
  private otherDate(day: string): string | undefined {
    const { titles, body, table } = this.located;
    const end = this.dataRows.at(-1)!.line;
    const rows = [...titles, ...body.filter(({ line }) => line > end)].map(wholeText);
    // The only date of a name is compared with the lines elsewhere.
    const isNamed = new Set(datesIn(this.fileName).texts).size === 1;
    const names = isGiven(this.profile.date) ? [isNamed ? '' : this.fileName, table.sheet] : [];
    return [...names, ...rows].flatMap((text) => otherDateIn(text, day) ?? [])[0];
  }

  private toldDate(): string | undefined {
    const day = readDate(this.told.date ?? '', 'ymd');
    return day ?? this.addFault('which day is it? Say it as YYYY-MM-DD (--date)');
  }

  /** Returns the only date of a name or a title. */
  private placedDate(order: DateOrder | undefined): string | undefined {
    const { from } = this.profile.date;
    const where =
      from === undefined
        ? 'the title'
        : `the name of the ${from === 'file_name' ? 'file' : 'sheet'}`;
    const { texts } = datesIn(this.placeText(this.profile.date), order);
    const dates = new Set(texts);
    const read = order ?? this.decideOrder(dates, where);
    const found = new Set([...dates].map((text) => readDate(text, read)));
    if (found.size === 1) return [...found][0];
    return this.addFault(
      found.size === 0
        ? `${where} has no date`
        : `${where} has ${found.size} dates: figures of several days cannot be told apart`,
    );
  }

  /** Whether a name or a title says a week or from when to when; both ends may have a row each. */
  private namesPeriod(): boolean {
    const titles = this.located.titles.map(wholeText);
    const rows = titles.map((title, index) => {
      const isFirst = /^\W*(start|from|begin|von)/i.test(title);
      const last = /^\W*(?:end|to|until|till|bis)\b[a-z ]*:?(.*)/i.exec(titles[index + 1] ?? '');
      return isFirst && last ? `${title} - ${last[1]}` : title;
    });
    return [this.fileName, this.located.table.sheet, ...rows].some(namesPeriod);
  }

  private fixedText(place: Place | undefined): string | undefined {
    if (!place || place.column !== undefined) return undefined;
    if (isGiven(place))
      return (
        this.told.restaurant ??
        this.addFault('which restaurant is it? Say its number (--restaurant)')
      );
    const { rest } = datesIn(this.placeText(place), this.profile.date.order);
    const isOfFile = place.from === 'file_name';
    const name = isOfFile ? rest.replace(/\.\w{1,4}$/, '').replace(COPY, '') : rest;
    const text = name.replace(/^[\s_,;.-]+|[\s_,;.-]+$/g, '');
    return text === ''
      ? this.addFault('the name or title that should name the restaurant or till is empty')
      : text;
  }

  private placeText({ from, title = '' }: Place): string {
    if (from === 'file_name') return this.fileName;
    return from === 'sheet_name' ? this.located.table.sheet : findTitle(this.located.titles, title);
  }

  private addFault(fault: string): string | undefined {
    this.faultCount++;
    if (this.faults.length < MAX_FAULTS) this.faults.push(fault);
    return undefined;
  }

  private refuse(row: Row, column: ColumnName, why: string): void {
    if (this.faults.length === MAX_FAULTS) {
      this.faultCount++;
      return;
    }
    const cell = this.text(row, column);
    this.addFault(
      `line ${row.line}, ${headingOf(column)}: ${cell === '' ? '(empty)' : cell} ${why}`,
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

  /** The text of the date; the days of some workbooks are not those that a number tells. */
  private dateText(row: Row): string {
    const cell = row.cells[this.index(this.profile.date.column!)];
    return cell instanceof WorkbookNumber && cell.is1904 ? '' : textOf(cell);
  }

  private hourText({ cells }: Row): string {
    const text = this.hourIndexes.map((index) => hourText(cells[index])).join(' ');
    return this.hasMoments && BARE_DATE.test(text) ? `${text} 00:00` : text.trim();
  }

  private get hourColumn(): ColumnName {
    return hourColumns(this.profile)[0]!;
  }
}

interface FieldColumns {
  readonly field: SalesField;
  readonly columns: readonly {
    readonly column: ColumnName;
    readonly index: number;
    readonly isTakenAway: boolean;
  }[];
}

interface Readings {
  readonly sign: DecimalSign;
  readonly order: DateOrder;
  readonly digits: DigitReading;
  readonly date: string | undefined;
  readonly restaurant: string | undefined;
  readonly till: string | undefined;
}

function* cellsOf(rows: readonly Row[], indexes: readonly number[]): Generator<Cell> {
  for (const { cells } of rows) for (const index of indexes) yield cells[index] ?? '';
}

/** Whether rows of several days have hour 0 alone, as a report by day writes its dates. */
const areDays = (entries: readonly Entry[]): boolean =>
  entries.every(({ hour }) => hour === 0) && new Set(entries.map(({ date }) => date)).size > 1;

const headingOf = (column: ColumnName): string =>
  typeof column === 'number' ? `column ${column}` : column;

/** Finds what is listed for a cell: the whole text counts before `Outlet *`, and that before `*`. */
function bestMatch<Value>(cell: string, listed: ReadonlyMap<string, Value>): Value | undefined {
  const rank = (text: string): number => (text.endsWith('*') ? text.length : Infinity);
  const [best] = [...listed.keys()]
    .filter((text) => matches(cell, text))
    .sort((one, other) => (rank(one) < rank(other) ? 1 : -1));
  return best === undefined ? undefined : listed.get(best);
}

/** Compares a cell with a text of a profile, which may end in `*`. */
function matches(cell: string, listed: string): boolean {
  const text = cell.toLowerCase();
  const pattern = listed.toLowerCase();
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}

function hourAdvice(cell: string): string {
  return /^(2[4-9]|[34]\d)(\D|00$|$)/.test(cell)
    ? 'is not an hour of this date: hours after midnight belong to the next date; a profile can say how this source counts (first, next_day)'
    : 'is not an hour';
}
