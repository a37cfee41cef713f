import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { SALES_FIELDS, type SalesField } from '../fields/sales-fields.js';
import { questionsOf } from './check-entries.js';
import { faultOfNamedTotal, namedTotals } from './check-totals.js';
import { WordCheck } from './check-words.js';
import { add, centsOf, type Decimal, isWhole, negated, ONE } from './decimals.js';
import type { Entry } from './entry.js';
import { findTitle, type Located } from './find-columns.js';
import {
  addUpColumns,
  type BuiltInProfile,
  type ColumnName,
  type DateOrder,
  type DecimalSign,
  type DigitReading,
  type FieldName,
  hourColumns,
  isBuiltIn,
  isGiven,
  type Place,
  rowRules,
  sourcesOf,
} from './profile.js';
import { ask, type Question } from './question.js';
import { decimalSignOf, isNoAmount, isNumeric, otherSign, readAmount } from './read-amounts.js';
import { datesIn, nextDay, ordersOf, readDate, splitMoment } from './read-dates.js';
import { digitReadings, hourText, MINUTES_PER_HOUR, readHour } from './read-hours.js';
import {
  bestMatch,
  type Cell,
  FileRefused,
  matchesPattern,
  normalHeading,
  type Progress,
  type Row,
  ROWS_PER_REPORT,
  textOf,
  wholeText,
  WrittenNumber,
} from './table.js';

const MAX_FAULTS = 10;

/** How a workbook's date with a time is written here, and one at midnight. */
const MOMENT = /^\d{4}-\d\d-\d\d \d/;
const BARE_DATE = /^\d{4}-\d\d-\d\d$/;

/** What a copy of a file has in its name besides: `(1)`, or the time of an export behind its date. */
const COPY = /\s*\(\d+\)|\s+- Copy\b.*|(?<=\s)[-_T](?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?!\d)/g;

/** Rows of parts of an hour begin at such a minute; receipts have any. */
const SLOT_MINUTES = 5;

const ROW_KINDS = ['total', 'skip', 'order', 'read'] as const;
type RowKind = (typeof ROW_KINDS)[number];

/** What a person says about a file that does not say it itself. */
export interface Given {
  readonly restaurant?: string | undefined;
  readonly date?: string | undefined;
}

export interface ReadTable {
  readonly entries: readonly Entry[];
  readonly faults: readonly string[];
  readonly questions: readonly Question[];
  readonly notes: readonly string[];
  /** Whether a total of the table was there, and was the sum. */
  readonly hasTotal: boolean;
}

/** Reads the rows of a table by a profile. */
export class TableReader {
  private readonly faults: string[] = [];
  private faultCount = 0;
  private readonly questions: Question[] = [];
  private readonly notes: string[] = [];
  private readonly dataRows: Row[] = [];
  private readonly totalRows: Row[] = [];
  private readonly emptyColumns = new Set<string>();
  private hasTotal = false;
  /** The sum of each column of figures, and whether it counts. */
  private readonly sums = new Map<number, { sum: Decimal; readonly isCount: boolean }>();
  private readonly sources: readonly FieldColumns[];
  private readonly addUp: readonly number[];
  private readonly rules: readonly { column: ColumnName; kinds: ReadonlyMap<string, RowKind> }[];
  private readonly countsOrders: boolean;
  private readonly payments: ReadonlyMap<string, FieldName>;
  private readonly hourIndexes: readonly number[];
  /** Whether a column has dates with times: a workbook leaves out that of midnight. */
  private readonly hasMoments: boolean;
  private readonly words: WordCheck;
  /** Profiles of earlier releases note what others ask. */
  private readonly isStrict: boolean;
  private readonly days = new Map<string, string | undefined>();
  private readonly minutes = new Map<string, number | undefined>();
  private digits: DigitReading = 'hours';

  constructor(
    private readonly profile: BuiltInProfile,
    private readonly located: Located,
    private readonly fileName: string,
    private readonly given: Given,
    currency: string | undefined,
  ) {
    this.isStrict = profile.unchecked !== true;
    this.words = new WordCheck(profile, currency);
    this.addUp = addUpColumns(profile).map((column) => this.index(column));
    const rules = rowRules(profile).filter(({ column }) => located.columns.has(column));
    this.countsOrders = rules.some(({ order }) => order);
    this.rules = rules.map((rule) => ({
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
    if (this.isStrict) this.words.checkTitles(this.located);
    this.checkColumns();
    this.sortRows();
    if (this.dataRows.length === 0)
      this.addFault('there is no row with an hour below the headings');
    const entries = this.faultCount > 0 ? [] : this.readEntries(progress);
    this.questions.push(...this.words.asked());
    if (this.emptyColumns.size > 0)
      this.notes.push(`empty cells were read as 0: ${[...this.emptyColumns].join(', ')}`);
    const more = this.faultCount - this.faults.length;
    if (more > 0) this.faults.push(`and ${more} more`);
    const { faults, questions, notes, hasTotal } = this;
    return { entries, faults, questions, notes, hasTotal };
  }

  /** A column that a profile does not know is asked about if it lists those that it does. */
  private checkColumns(): void {
    const { unknown, repeated } = this.located;
    for (const heading of repeated) this.addFault(`has the column ${heading} more than once`);
    if (unknown.length === 0) return;
    if (!this.isStrict || this.profile.ignore === undefined)
      this.notes.push(`columns not used: ${unknown.join(', ')}`);
    else
      for (const heading of unknown)
        this.questions.push(
          ask('ignore', `the column ${heading} is new: is it a figure, or not used (ignore)?`, [
            [heading, 'it is not used'],
          ]),
        );
  }

  /** Tells rows with figures of an hour from totals and from what is skipped; nothing else may be left. */
  private sortRows(): void {
    const rows = this.filledDown();
    const { headings, titles } = this.located;
    const last = rows.findLastIndex((row) => this.hasHour(row));
    const titleTexts = new Set(titles.map(wholeText));
    const used = [...this.located.columns.values()];
    const isRepeated = (row: Row): boolean =>
      titleTexts.has(wholeText(row)) ||
      (!!headings && used.every((at) => textOf(row.cells[at]) === textOf(headings.cells[at])));
    for (const [index, row] of rows.entries()) {
      const hasHour = this.hasHour(row);
      if (this.isSkipped(row) || (!hasHour && isRepeated(row))) continue;
      // Every line of a file of a fixed width has all its cells.
      if (this.profile.width !== undefined && !this.hasAllCells(row)) continue;
      const kind = this.kindOf(row);
      const hasFigures = hasHour || this.hasFigures(row);
      if (kind === 'skip') continue;
      else if (kind === 'total' || (index > last && hasFigures)) this.totalRows.push(row);
      else if (kind === 'unknown' && index < last) this.refuseUnknown(row);
      else if (!hasFigures) this.leaveOut(row, index < last);
      else if (this.hasAllCells(row)) this.dataRows.push(row);
    }
  }

  private hasHour(row: Row): boolean {
    const text = this.hourText(row);
    return (
      (/^\d/.test(text) && this.hasFigures(row)) ||
      (text !== '' &&
        (['hours', 'minutes', 'seconds'] as const).some(
          (digits) => this.minuteOf(text, digits) !== undefined,
        ))
    );
  }

  private hasFigures({ cells }: Row): boolean {
    for (const at of this.sums.keys()) if (/\d/.test(textOf(cells[at]))) return true;
    return false;
  }

  private isSkipped(row: Row): boolean {
    const patterns = this.profile.skip_lines ?? [];
    if (patterns.length === 0) return false;
    const texts = [wholeText(row), textOf(row.cells.find((cell) => textOf(cell) !== ''))];
    return patterns.some((pattern) => texts.some((text) => matchesPattern(text, pattern)));
  }

  /** Asks about a line that is neither a row nor skipped. */
  private leaveOut(row: Row, isBetween: boolean): void {
    const { restaurant, date, till = restaurant } = this.profile;
    const text = wholeText(row);
    const isControl = namedTotals(this.profile).some(
      ({ title }) => title !== undefined && normalHeading(text).startsWith(normalHeading(title)),
    );
    if (isControl) return;
    // Each row may name its restaurant, date and till itself.
    const isWhole = [restaurant, date, till].every(({ column }) => column !== undefined);
    if (!this.isStrict && (isWhole || !isBetween)) {
      this.notes.push(`line ${row.line}: not read: ${text}`);
      return;
    }
    const pattern = text
      .slice(0, 100)
      .replace(/\d+/g, '*')
      .replace(/\*[*\W]*\*/g, '*');
    this.questions.push(
      ask(
        'skip_lines',
        `line ${row.line}: ${text.slice(0, 200)} is not a row of an hour: does it say more of the rows, or is it skipped (skip_lines)?`,
        [[text.length > 100 ? `${pattern}*` : pattern, 'lines like it are skipped']],
      ),
    );
  }

  /** What a row is by all rules: it is read only if each rule reads it. */
  private kindOf(row: Row): RowKind | 'unknown' | undefined {
    if (this.rules.length === 0) return undefined;
    const kinds = this.rules.map((rule) => this.kindBy(rule, row));
    return (['skip', 'unknown', 'total', 'order', 'read'] as const).find((kind) =>
      kinds.includes(kind),
    );
  }

  private kindBy({ column, kinds }: (typeof this.rules)[number], row: Row): RowKind | 'unknown' {
    return bestMatch(this.text(row, column), kinds) ?? 'unknown';
  }

  private refuseUnknown(row: Row): void {
    const { column } = this.rules.find((rule) => this.kindBy(rule, row) === 'unknown')!;
    this.refuse(row, column, 'is neither read nor skipped: add it to the profile (rows)');
  }

  private hasAllCells({ line, cells }: Row): boolean {
    const { width } = this.located;
    let hasMore = false;
    for (let at = width; at < cells.length; at++) hasMore ||= textOf(cells[at]) !== '';
    if (!hasMore && cells.length >= width) return true;
    this.addFault(`line ${line}: ${cells.length} cells instead of ${width}`);
    return false;
  }

  /** Puts the cell above into empty ones of columns whose cells were merged. */
  private filledDown(): readonly Row[] {
    const { body } = this.located;
    const indexes = (this.profile.fill_down ?? []).map((column) => this.index(column));
    if (indexes.length === 0) return body;
    const above = new Map<number, Cell>();
    return body.map((row) => {
      const cells = [...row.cells];
      for (const index of indexes) {
        const cell = cells[index] ?? '';
        if (textOf(cell) === '') cells[index] = above.get(index) ?? '';
        else above.set(index, cell);
      }
      return { line: row.line, cells };
    });
  }

  private readEntries(progress?: Progress): Entry[] {
    const readings = {
      sign: this.decimalSign(),
      order: this.dateOrder(),
      date: this.fixedDate(),
      restaurant: this.fixedText('restaurant'),
      till: this.fixedText('till'),
    };
    this.digits = this.digitReading();
    if (this.faultCount + this.questions.length > 0) return [];
    const isSlot = (row: Row): boolean =>
      (this.minuteOf(this.hourText(row)) ?? 0) % SLOT_MINUTES === 0;
    const hasSlots = this.addUp.length === 0 || this.dataRows.every(isSlot);
    const entries: Entry[] = [];
    for (const [index, row] of this.dataRows.entries()) {
      if (index % ROWS_PER_REPORT === 0) progress?.(index / this.dataRows.length);
      const entry = this.readRow(row, readings, hasSlots);
      if (entry) entries.push(entry);
    }
    if (this.faultCount + this.questions.length > 0) return [];
    const isOwn = isBuiltIn(this.profile.name);
    const order = !isOwn && this.profile.hour.day_begins === undefined;
    this.questions.push(...questionsOf(entries, { days: !isOwn, order }));
    this.checkTotals(entries, readings.sign);
    return entries;
  }

  private readRow(
    row: Row,
    { sign, order, ...fixed }: Readings,
    hasSlots: boolean,
  ): Entry | undefined {
    const { restaurant, till, hour } = this.profile;
    const text = this.hourText(row);
    const day = fixed.date ?? this.dayOf(row, order);
    const minute = this.minuteOf(text);
    if (minute === undefined) this.refuseHour(row, text);
    if (day !== undefined) this.checkDateOfHour(row, text, day, order);
    const place = fixed.restaurant ?? this.text(row, restaurant.column!);
    if (place === '') this.refuse(row, restaurant.column!, 'is missing: it names the restaurant');
    const figures = this.figuresOf(row, sign);
    if (day === undefined || minute === undefined) return undefined;
    const clock = Math.floor(minute / MINUTES_PER_HOUR);
    const isNextDay = clock >= HOURS_PER_DAY || clock < (hour.day_begins ?? 0);
    const parts = this.addUp.map((index) => textOf(row.cells[index]));
    return {
      line: row.line,
      restaurant: place,
      till: fixed.till ?? (till?.column === undefined ? '' : this.text(row, till.column)),
      date: isNextDay ? nextDay(day) : day,
      hour: clock % HOURS_PER_DAY,
      day,
      part: (hasSlots ? [minute, ...parts] : parts).join('\t'),
      figures,
    };
  }

  /** Many rows have the same date. */
  private dayOf(row: Row, order: DateOrder): string | undefined {
    const { column, months } = this.profile.date;
    const text = this.dateText(row);
    if (!this.days.has(text)) {
      this.days.set(text, readDate(text, { order, months }));
      if (this.isStrict) this.words.checkTime(row, text);
    }
    const day = this.days.get(text);
    if (day === undefined) this.refuse(row, column!, 'is not a date of this century');
    return day;
  }

  /** An hour may have its date with it, which must be that of its row. */
  private checkDateOfHour(row: Row, text: string, day: string, order: DateOrder): void {
    if (this.profile.date.column === this.hourColumn || !/\D/.test(text)) return;
    const { date } = splitMoment(text);
    if (date === '' || this.minuteOf(text) === undefined) return;
    const { months } = this.profile.date;
    const read = ([order, 'dmy', 'mdy'] as const).flatMap(
      (each) => readDate(date, { order: each, months }) ?? [],
    );
    if (read.length === 0 || read.includes(day)) return;
    this.refuse(row, this.hourColumn, `is not of ${day}, the date of its row`);
  }

  private minuteOf(text: string, digits: DigitReading = this.digits): number | undefined {
    const key = `${digits}${text}`;
    if (!this.minutes.has(key)) {
      const { first = 0, next_day: isNextDay = false } = this.profile.hour;
      this.minutes.set(key, readHour(text, { digits, first, nextDay: isNextDay }));
    }
    return this.minutes.get(key);
  }

  /** 24 has two readings, and what is above it one that the profile must say. */
  private refuseHour(row: Row, text: string): void {
    const isOfNight = /^(2[4-9]|[34]\d)(?:\D.*|00)?$/.test(text) && !this.profile.hour.next_day;
    if (!isOfNight || isBuiltIn(this.profile.name)) {
      const advice = isOfNight ? ' of this date: hours after midnight are of the next' : '';
      this.refuse(row, this.hourColumn, `is not an hour${advice}`);
    } else if (!this.questions.some(({ option }) => option === 'hour')) {
      const where = `line ${row.line}, ${headingOf(this.hourColumn)}: is ${text}`;
      const is24 = text.startsWith('24') && this.profile.hour.first === undefined;
      const end = is24 ? 'from 23:00 to 24:00 (first: 1), or the first hour of' : 'an hour of';
      const next = { label: 'it is of the next day', option: 'hour.next_day', value: true };
      const first = { label: 'it is from 23:00 to 24:00', option: 'hour.first', value: 1 };
      const answers = is24 ? [first, next] : [next];
      this.questions.push({
        option: 'hour',
        text: `${where} ${end} the next day (next_day)?`,
        answers,
      });
    }
  }

  private figuresOf(row: Row, sign: DecimalSign): Record<FieldName, Decimal> {
    const figures = {} as Record<FieldName, Decimal>;
    for (const source of this.sources)
      figures[source.field.name] = this.figureOf(row, source, sign);
    if (this.countsOrders && this.kindOf(row) === 'order')
      figures.orders = add(figures.orders, ONE);
    if (this.profile.split) this.addSplit(row, figures, sign);
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
    const index = this.index(column);
    const cell = row.cells[index] ?? '';
    const amount = readAmount(cell, sign);
    if (this.isStrict && kind === 'amount') this.words.checkAmount(row, index, cell);
    if (amount === undefined && isNoAmount(cell)) {
      if (isRequired) this.refuse(row, column, 'is empty: write 0 if there was nothing');
      else this.emptyColumns.add(headingOf(column));
    } else if (amount === undefined && readAmount(cell, otherSign(sign)) !== undefined) {
      const [one, other] = sign === '.' ? ['comma', 'point'] : ['point', 'comma'];
      this.refuse(row, column, `has a decimal ${one}, and other cells a decimal ${other}`);
    } else if (amount === undefined)
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
    const name = bestMatch(this.text(row, by), this.payments) ?? otherwise;
    const field = SALES_FIELDS.find((each) => each.name === name);
    const amount = this.amountOf(row, column, field?.kind ?? 'amount', sign);
    if (amount === undefined || amount === 0) return;
    if (field) figures[field.name] = add(figures[field.name], amount);
    else this.refuse(row, by, 'is a payment that the profile does not know (split)');
  }

  /** A total that the profile declares must be there, and one that is there must be the sum. */
  private checkTotals(entries: readonly Entry[], sign: DecimalSign): void {
    const named = namedTotals(this.profile);
    const turnover = this.sources.find(({ field }) => field.name === 'gto')!.columns;
    for (const row of this.totalRows) {
      const isTotal = turnover.some(({ index }) => isNumeric(row.cells[index] ?? ''));
      this.hasTotal ||= isTotal;
      this.checkTotalRow(row, sign);
    }
    for (const total of named) {
      const fault = faultOfNamedTotal(total, this.located, entries, this.profile, sign);
      if (fault !== undefined) this.addFault(fault);
      this.hasTotal ||= total.is === 'gto';
    }
    if (this.profile.control === 'file' && !this.hasTotal)
      this.addFault('its total is missing below the rows (control): is the file cut off?');
  }

  private checkTotalRow(row: Row, sign: DecimalSign): void {
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

  private decimalSign(): DecimalSign {
    if (this.profile.decimal) return this.profile.decimal;
    const { split } = this.profile;
    const indexes = [...this.sums.keys(), ...(split ? [this.index(split.column)] : [])];
    return this.decided(decimalSignOf(cellsOf(this.dataRows, indexes)), '.');
  }

  private dateOrder(): DateOrder {
    const { column, order, months } = this.profile.date;
    if (order || column === undefined) return order ?? 'ymd';
    const cells = new Set(this.dataRows.map((row) => this.dateText(row)));
    return this.decided(orderOf(cells, months, headingOf(column)), 'ymd');
  }

  private digitReading(): DigitReading {
    const { digits, first = 0, next_day: nextDay = false } = this.profile.hour;
    if (digits) return digits;
    const texts = new Map(this.dataRows.map((row) => [this.hourText(row), row]));
    if (this.isStrict) for (const [text, row] of texts) this.words.checkTime(row, text);
    const [reading = 'hours', ...others] = digitReadings(texts.keys(), { first, nextDay });
    const heading = headingOf(this.hourColumn);
    const values = [reading, ...others].map((each) => [each, each] as const);
    if (others.length > 0)
      this.questions.push(
        ask(
          'hour.digits',
          `${heading}: are its digits ${values.map(([each]) => each).join(' or ')}?`,
          values,
        ),
      );
    return reading;
  }

  /** Returns what was decided, or asks and goes on with anything. */
  private decided<Value extends string>(found: Value | Question, otherwise: Value): Value {
    if (typeof found === 'string') return found;
    this.questions.push(found);
    return otherwise;
  }

  /** Returns the date that holds for the whole table; undefined if each row has its own. */
  private fixedDate(): string | undefined {
    const { date } = this.profile;
    if (date.column !== undefined) return undefined;
    if (!isGiven(date)) return this.placedDate(date);
    const day = readDate(this.given.date ?? '', { order: 'ymd' });
    if (day === undefined)
      this.questions.push(ask('given.date', 'which day is it? Say it as YYYY-MM-DD (--date)'));
    return day;
  }

  /** Returns the only date of a name or a title. */
  private placedDate({ from, order, months }: BuiltInProfile['date']): string | undefined {
    const where =
      from === undefined
        ? 'the title'
        : `the name of the ${from === 'file_name' ? 'file' : 'sheet'}`;
    const { texts } = datesIn(this.placeText(this.profile.date), order, months);
    const dates = new Set(texts);
    const read = order ?? this.decided(orderOf(dates, months, where), 'ymd');
    const found = new Set([...dates].map((text) => readDate(text, { order: read, months })));
    if (found.size === 1) return [...found][0];
    this.addFault(
      found.size === 0
        ? `${where} has no date`
        : `${where} has ${found.size} dates: figures of several days cannot be told apart`,
    );
    return undefined;
  }

  private fixedText(which: 'restaurant' | 'till'): string | undefined {
    const place: Place | undefined = this.profile[which];
    if (!place || place.column !== undefined) return undefined;
    if (isGiven(place)) {
      if (this.given.restaurant === undefined)
        this.questions.push(
          ask('given.restaurant', 'which restaurant is it? Say its number (--restaurant)'),
        );
      return this.given.restaurant;
    }
    const { order, months } = this.profile.date;
    const { rest } = datesIn(this.placeText(place), order, months);
    const isOfFile = place.from === 'file_name';
    const name = isOfFile ? rest.replace(/\.\w{1,4}$/, '').replace(COPY, '') : rest;
    const text = name.replace(/^[\s_,;.-]+|[\s_,;.-]+$/g, '');
    if (text === '') this.addFault(`the name or title that should name the ${which} is empty`);
    return text;
  }

  private placeText({ from, title = '' }: Place): string {
    if (from === 'file_name') return this.fileName;
    return from === 'sheet_name' ? this.located.table.sheet : findTitle(this.located.titles, title);
  }

  private addFault(fault: string): void {
    this.faultCount++;
    if (this.faults.length < MAX_FAULTS) this.faults.push(fault);
  }

  private refuse(row: Row, column: ColumnName, why: string): void {
    const cell = this.faults.length < MAX_FAULTS ? this.text(row, column) : '';
    this.addFault(
      `line ${row.line}, ${headingOf(column)}: ${cell === '' ? '(empty)' : cell.slice(0, 100)} ${why}`,
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
    return cell instanceof WrittenNumber && cell.is1904 ? '' : textOf(cell);
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
  readonly date: string | undefined;
  readonly restaurant: string | undefined;
  readonly till: string | undefined;
}

/** Returns the order of dates, or a question if two are possible. */
function orderOf(
  cells: ReadonlySet<string>,
  months: readonly string[] | undefined,
  where: string,
): DateOrder | Question {
  const [order = 'ymd', ...others] = ordersOf(cells, months);
  if (others.length === 0) return order;
  const labels = { ymd: 'year first', dmy: 'day first', mdy: 'month first' };
  const orders = [order, ...others];
  const may = orders.map((each) => labels[each]).join(' or ');
  return ask(
    'date.order',
    `${where}: ${[...cells][0] ?? ''} may be ${may}: which one (date.order)?`,
    orders.map((each) => [each, labels[each]]),
  );
}

function* cellsOf(rows: readonly Row[], indexes: readonly number[]): Generator<Cell> {
  for (const { cells } of rows) for (const index of indexes) yield cells[index] ?? '';
}

const headingOf = (column: ColumnName): string =>
  typeof column === 'number' ? `column ${column}` : column;
