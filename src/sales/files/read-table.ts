import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import { add, centsOf, type Decimal, digitsOf, isWhole, negated, ONE } from '../fields/decimals.js';
import { type Figures, SALES_FIELDS, type SalesField } from '../fields/sales-fields.js';
import { questionsOf } from './check-entries.js';
import { WordCheck } from './check-words.js';
import { findTitle, type Located } from './find-columns.js';
import { type Findings, headingOf } from './findings.js';
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
  type NamedTotal,
  namedTotals,
  type Place,
} from './profile.js';
import { ask } from './question.js';
import { decimalSignOf, isNumeric, otherSign, readAmount } from './read-amounts.js';
import { dateOrderOf, datesIn, nextDay, readDate } from './read-dates.js';
import { digitReadingOf, type HourRules, MINUTES_PER_HOUR, readHour } from './read-hours.js';
import { RowSorter } from './sort-rows.js';
import {
  bestMatch,
  type Cell,
  type Entry,
  type Row,
  sumOf,
  textOf,
  type TillDay,
} from './table.js';

/** What a copy of a file has in its name besides: `(1)`, or the time of an export behind its date. */
const COPY = /\s*\(\d+\)|\s+- Copy\b.*|(?<=\s)[-_T](?:[01]\d|2[0-3])[0-5]\d[0-5]\d(?!\d)/g;

/** Rows of parts of an hour begin at such a minute; receipts have any. */
const SLOT_MINUTES = 5;

/** What a person says about a file that does not say it itself. */
export interface Given {
  readonly restaurant?: string | undefined;
  readonly date?: string | undefined;
}

type Figure = Pick<SalesField, 'kind'> & { readonly name?: FieldName };

const NO_FIGURES = Object.fromEntries(SALES_FIELDS.map(({ name }) => [name, 0])) as Figures<number>;

const NOT_THE_SUM =
  'is not the sum of the rows above: are rows missing, or is this row a subtotal? Then skip it in the profile (rows)';

/** Reads the rows of a table by a profile. */
export class TableReader {
  private readonly words: WordCheck;
  private readonly rows: RowSorter;
  /** Whether a total of the table was there, and was the sum. */
  hasTotal = false;
  private readonly payments: ReadonlyMap<string, FieldName>;
  private readonly hourColumn: ColumnName;
  private readonly hourRules: Omit<HourRules, 'digits'>;
  private readonly days = new Map<string, TillDay & { readonly entries: Entry[] }>();
  private readonly dates = new Map<string, string | undefined>();
  private readonly minutes = new Map<string, number | undefined>();
  private sign: DecimalSign = '.';
  private order: DateOrder = 'ymd';
  private digits: DigitReading = 'hours';

  constructor(
    private readonly profile: BuiltInProfile,
    private readonly located: Located,
    private readonly fileName: string,
    private readonly given: Given,
    private readonly findings: Findings,
    currency: string | undefined,
  ) {
    this.words = new WordCheck(profile, findings, currency);
    this.rows = new RowSorter(profile, located, findings);
    this.payments = new Map(Object.entries(profile.split?.into ?? {}));
    this.hourColumn = hourColumns(profile)[0]!;
    const { first = 0, next_day: nextDay = false } = profile.hour;
    this.hourRules = { first, nextDay, hasDate: this.hourColumn === profile.date.column };
  }

  /** Returns the rows, unless something is found wrong or has to be asked. */
  read(): TillDay[] {
    this.words.checkTitles(this.located);
    this.checkColumns();
    this.rows.sort();
    return this.findings.hasFaults ? [] : this.readEntries();
  }

  /** A column that a profile does not know is asked about if it lists those that it does. */
  private checkColumns(): void {
    const { unknown, repeated } = this.located;
    const { ignore, unchecked } = this.profile;
    for (const heading of repeated) this.findings.add(`has the column ${heading} more than once`);
    if (unknown.length > 0 && (unchecked || ignore === undefined))
      this.findings.note(`columns not used: ${unknown.join(', ')}`);
    else
      for (const heading of unknown) {
        const text = `the column ${heading} is new: is it a figure, or not used (ignore)?`;
        this.findings.ask(ask('ignore', text, [[heading, 'it is not used']]));
      }
  }

  private readEntries(): TillDay[] {
    const { data } = this.rows;
    this.sign = this.profile.decimal ?? decimalSignOf(this.figures(), this.findings);
    this.order = this.dateOrder();
    this.digits = this.digitReading();
    const fixed = {
      date: this.fixedDate(),
      restaurant: this.fixedText('restaurant'),
      till: this.fixedText('till'),
    };
    if (!this.findings.isEmpty()) return [];
    const addUp = addUpColumns(this.profile);
    const isSlot = (row: Row): boolean =>
      (this.minuteOf(this.rows.hourText(row)) ?? 0) % SLOT_MINUTES === 0;
    const hasSlots = addUp.length === 0 || data.every(isSlot);
    for (const row of data) this.readRow(row, fixed, addUp, hasSlots);
    if (!this.findings.isEmpty()) return [];
    const days = [...this.days.values()];
    for (const question of questionsOf(days, this.profile)) this.findings.ask(question);
    this.checkTotals(days);
    return days;
  }

  private readRow(
    row: Row,
    fixed: Readonly<Record<'date' | 'restaurant' | 'till', string | undefined>>,
    addUp: readonly ColumnName[],
    hasSlots: boolean,
  ): void {
    const { restaurant, till: ofTill, hour } = this.profile;
    const text = this.rows.hourText(row);
    const day = fixed.date ?? this.dayOf(row);
    const minute = this.minuteOf(text);
    if (minute === undefined) this.refuseHour(row, text);
    const place = fixed.restaurant ?? this.rows.text(row, restaurant.column!);
    if (place === '') this.refuse(row, restaurant.column!, 'is missing: it names the restaurant');
    const figures = this.figuresOf(row);
    if (day === undefined || minute === undefined) return;
    const clock = Math.floor(minute / MINUTES_PER_HOUR);
    const isNextDay = clock >= HOURS_PER_DAY || clock < (hour.day_begins ?? 0);
    const parts = addUp.map((column) => this.rows.text(row, column));
    const till = fixed.till ?? (ofTill?.column ? this.rows.text(row, ofTill.column) : '');
    this.dayFor(place, till, isNextDay ? nextDay(day) : day).push({
      line: row.line,
      hour: clock % HOURS_PER_DAY,
      day,
      part: (hasSlots ? [minute, ...parts] : parts).join('\t'),
      figures,
    });
  }

  private dayFor(restaurant: string, till: string, date: string): Entry[] {
    const key = `${restaurant}\n${till}\n${date}`;
    const known = this.days.get(key);
    if (known) return known.entries;
    const entries: Entry[] = [];
    this.days.set(key, { restaurant, till, date, entries });
    return entries;
  }

  /** Many rows have the same date. */
  private dayOf(row: Row): string | undefined {
    const { column, months } = this.profile.date;
    const text = this.rows.text(row, column!);
    if (!this.dates.has(text)) {
      this.dates.set(text, readDate(text, { order: this.order, months }));
      this.words.checkTime(row, text);
    }
    const day = this.dates.get(text);
    if (day === undefined)
      this.refuse(row, column!, 'is not a date of this century, such as 2026-11-30');
    return day;
  }

  private minuteOf(text: string): number | undefined {
    if (!this.minutes.has(text))
      this.minutes.set(text, readHour(text, { ...this.hourRules, digits: this.digits }));
    return this.minutes.get(text);
  }

  /** 24 has two readings, and what is above it one that the profile must say. */
  private refuseHour(row: Row, text: string): void {
    const { first, next_day: isNextDay } = this.profile.hour;
    const isOfNight = /^(2[4-9]|[34]\d)(?:\D.*|00)?$/.test(text) && !isNextDay;
    const is24 = text.startsWith('24') && first === undefined;
    if (!isOfNight || isBuiltIn(this.profile.name)) {
      const advice = isOfNight ? ' of this date: hours after midnight are of the next' : '';
      this.refuse(row, this.hourColumn, `is not an hour${advice}`);
    } else if (!this.findings.questions.some(({ option }) => option === 'hour')) {
      const end = is24 ? 'from 23:00 to 24:00 (first: 1), or the first hour of' : 'an hour of';
      const where = `line ${row.line}, ${headingOf(this.hourColumn)}`;
      const next = { label: 'it is of the next day', option: 'hour.next_day', value: true };
      const before = { label: 'it is from 23:00 to 24:00', option: 'hour.first', value: 1 };
      this.findings.ask({
        option: 'hour',
        text: `${where}: is ${text} ${end} the next day (next_day)?`,
        answers: is24 ? [before, next] : [next],
      });
    }
  }

  private figuresOf(row: Row): Record<FieldName, Decimal> {
    const figures: Record<FieldName, Decimal> = { ...NO_FIGURES };
    for (const { field, column, index, isTakenAway } of this.located.sources) {
      const amount = this.amountOf(row, column, index, field);
      figures[field.name] = add(figures[field.name], isTakenAway ? negated(amount) : amount);
    }
    if (this.rows.kindOf(row) === 'order') figures.orders = add(figures.orders, ONE);
    if (this.profile.split) this.addSplit(row, figures, this.profile.split);
    return figures;
  }

  private addSplit(
    row: Row,
    figures: Record<FieldName, Decimal>,
    { column, by, else: otherwise }: NonNullable<BuiltInProfile['split']>,
  ): void {
    const name = bestMatch(this.rows.text(row, by), this.payments) ?? otherwise;
    const field = SALES_FIELDS.find((each) => each.name === name);
    const kind = field?.kind ?? 'amount';
    const amount = this.amountOf(row, column, this.located.columns.get(column)!, { kind });
    if (amount === 0) return;
    if (field) figures[field.name] = add(figures[field.name], amount);
    else this.refuse(row, by, 'is a payment that the profile does not know (split)');
  }

  private amountOf(row: Row, column: ColumnName, index: number, field: Figure): Decimal {
    const cell = row.cells[index] ?? '';
    const amount = readAmount(cell, this.sign);
    if (field.kind === 'amount') this.words.checkAmount(row, index, cell);
    const fault = this.faultOfAmount(cell, amount, field);
    if (fault !== undefined) this.refuse(row, column, fault);
    return fault !== undefined || amount === undefined ? 0 : this.inUnits(amount, field);
  }

  private inUnits(amount: Decimal, { kind }: Figure): Decimal {
    return this.profile.cents && kind === 'amount' ? centsOf(amount) : amount;
  }

  private faultOfAmount(
    cell: Cell,
    amount: Decimal | undefined,
    { name, kind }: Figure,
  ): string | undefined {
    const isCount = kind === 'count';
    if (amount === undefined) {
      const isTurnover = name === 'gto';
      if (textOf(cell) === '')
        return isTurnover ? 'is empty: write 0 if there was nothing' : undefined;
      if (readAmount(cell, otherSign(this.sign)) === undefined)
        return isCount ? 'is not a whole number' : 'is not an amount';
      const [one, other] = this.sign === '.' ? ['comma', 'point'] : ['point', 'comma'];
      return `has a decimal ${one}, and other cells a decimal ${other}`;
    }
    if (isCount) return isWhole(amount) ? undefined : 'is not a whole number';
    const isInCents = this.profile.cents !== true || !/[.,]/.test(textOf(cell));
    return isInCents ? undefined : 'is not a whole number of cents';
  }

  /** A total that the profile declares must be there, and one that is there must be the sum. */
  private checkTotals(days: readonly TillDay[]): void {
    const { data, totals } = this.rows;
    for (const { index, column, field } of totals.length > 0 ? this.located.sources : []) {
      const amounts = data.map(({ cells }) => readAmount(cells[index] ?? '', this.sign) ?? 0);
      const sum = amounts.reduce<Decimal>((all, each) => add(all, each), 0);
      for (const row of totals) {
        const cell = row.cells[index] ?? '';
        if (!isNumeric(cell)) continue;
        this.hasTotal ||= field.name === 'gto';
        if (readAmount(cell, this.sign) !== sum) this.refuse(row, column, NOT_THE_SUM);
      }
    }
    const entries = days.flatMap((day) => day.entries);
    for (const total of namedTotals(this.profile)) {
      const fault = this.faultOfTotal(total, entries);
      if (fault !== undefined) this.findings.add(fault);
      this.hasTotal ||= total.is === 'gto';
    }
    if (this.profile.control === 'file' && !this.hasTotal)
      this.findings.add('its total is missing below the rows (control): is the file cut off?');
  }

  /** Says what is wrong with a total beside the table; a file of several days has one for each. */
  private faultOfTotal(
    { tag, title = '', is }: NamedTotal,
    entries: readonly Entry[],
  ): string | undefined {
    const { table, titles, body } = this.located;
    const name = `its total ${tag ?? title} (${is})`;
    const lines = table.lines?.filter((line) => line.name === tag).map(({ value }) => value) ?? [];
    const texts = tag === undefined ? [findTitle([...titles, ...body], title)] : lines;
    const field = SALES_FIELDS.find((each) => each.name === is)!;
    let written: Decimal = 0;
    for (const text of texts.filter((each) => each !== '')) {
      const amount = readAmount(text, this.sign);
      if (amount === undefined) return `${name}, ${text}, is not an amount`;
      written = add(written, this.inUnits(amount, field));
    }
    if (texts.join('') === '') return `${name} is missing: is the file cut off?`;
    const sum = sumOf(entries, is);
    const difference = `is ${digitsOf(written)}, and the rows add up to ${digitsOf(sum)}`;
    return written === sum ? undefined : `${name} ${difference}: are rows missing?`;
  }

  private *figures(): Generator<Cell> {
    const { split } = this.profile;
    const ofSplit = split ? [this.located.columns.get(split.column)!] : [];
    const all = [...this.located.sources.map(({ index }) => index), ...ofSplit];
    for (const { cells } of this.rows.data) for (const index of all) yield cells[index] ?? '';
  }

  private dateOrder(): DateOrder {
    const { column, order, months } = this.profile.date;
    if (order || column === undefined) return order ?? 'ymd';
    const cells = new Set(this.rows.data.map((row) => this.rows.text(row, column)));
    return dateOrderOf(cells, headingOf(column), months, this.findings);
  }

  private digitReading(): DigitReading {
    const texts = new Map(this.rows.data.map((row) => [this.rows.hourText(row), row]));
    for (const [text, row] of texts) this.words.checkTime(row, text);
    const { digits } = this.profile.hour;
    const where = headingOf(this.hourColumn);
    return digits ?? digitReadingOf(texts.keys(), where, this.hourRules, this.findings);
  }

  /** Returns the date that holds for the whole table; undefined if each row has its own. */
  private fixedDate(): string | undefined {
    const { date } = this.profile;
    if (date.column !== undefined) return undefined;
    if (!isGiven(date)) return this.placedDate(date);
    const day = readDate(this.given.date ?? '', { order: 'ymd' });
    const question = ask('given.date', 'which day is it? Say it as YYYY-MM-DD (--date)');
    if (day === undefined) this.findings.ask(question);
    return day;
  }

  /** Returns the only date of a name or a title. */
  private placedDate({ from, order, months }: BuiltInProfile['date']): string | undefined {
    const name = from === 'file_name' ? 'file' : 'sheet';
    const where = from === undefined ? 'the title' : `the name of the ${name}`;
    const { texts } = datesIn(this.placeText(this.profile.date), order, months);
    const dates = new Set(texts);
    const read = order ?? dateOrderOf(dates, where, months, this.findings);
    const found = new Set([...dates].map((text) => readDate(text, { order: read, months })));
    if (found.size === 1) return [...found][0];
    const several = `${found.size} dates: figures of several days cannot be told apart`;
    this.findings.add(`${where} has ${found.size === 0 ? 'no date' : several}`);
    return undefined;
  }

  private fixedText(which: 'restaurant' | 'till'): string | undefined {
    const place: Place | undefined = this.profile[which];
    if (!place || place.column !== undefined) return undefined;
    if (isGiven(place)) {
      const text = 'which restaurant is it? Say its number (--restaurant)';
      if (this.given.restaurant === undefined) this.findings.ask(ask('given.restaurant', text));
      return this.given.restaurant;
    }
    const { order, months } = this.profile.date;
    const { rest } = datesIn(this.placeText(place), order, months);
    const isOfFile = place.from === 'file_name';
    const name = isOfFile ? rest.replace(/\.\w{1,4}$/, '').replace(COPY, '') : rest;
    const text = name.replace(/^[\s_,;.-]+|[\s_,;.-]+$/g, '');
    if (text === '') this.findings.add(`the name or title that should name the ${which} is empty`);
    return text;
  }

  private placeText({ from, title = '' }: Place): string {
    if (from === 'file_name') return this.fileName;
    return from === 'sheet_name' ? this.located.table.sheet : findTitle(this.located.titles, title);
  }

  private refuse(row: Row, column: ColumnName, why: string): void {
    this.findings.refuse(row.line, column, this.rows.text(row, column), why);
  }
}
