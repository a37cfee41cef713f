import type { Profile } from '../../../src/sales/files/profile.js';
import type { DateOrder } from '../../../src/sales/files/read-dates.js';
import { type Table, textOf } from '../../../src/sales/files/table.js';
import { type Field, FIELD_NAMES } from '../fields.js';

/** What a person has chosen so far; an empty text stands for nothing. */
export interface Draft {
  /** The row with the headings, counted from 0 in the rows that are not empty. */
  readonly headings: number;
  /** `column:Outlet`, or one of `told`, `file_name`, `sheet_name`. */
  readonly restaurant: string;
  readonly date: string;
  readonly order: DateOrder | '';
  readonly hour: string;
  readonly first: '0' | '1';
  readonly nextDay: boolean;
  readonly till: string;
  readonly addUp: string;
  readonly rows: string;
  /** What becomes of the rows of each text of the column `rows`. */
  readonly kinds: Readonly<Record<string, 'read' | 'skip' | 'total'>>;
  readonly decimal: '' | '.' | ',';
  readonly fields: Readonly<Record<Field, readonly string[]>>;
}

const noColumns: readonly string[] = [];

const GUESSES: Readonly<Record<string, RegExp>> = {
  restaurant: /^(outlet|store|restaurant|location|branch|tenant)/i,
  date: /^(date|day|trandate|business date|datum|data|fecha)/i,
  hour: /^(hour|time|start|stunde|hora|hours)/i,
  till: /^(till|terminal|termnum|pos|machine|register)/i,
};

export const headingsOf = (table: Table, row: number): string[] =>
  (table.rows[row]?.cells ?? []).map(textOf).filter((heading) => heading !== '');

/** Takes the first row with most cells for that of the headings, and proposes what names suggest. */
export function firstDraft(table: Table): Draft {
  const counts = table.rows
    .slice(0, 40)
    .map(({ cells }) => cells.filter((cell) => textOf(cell) !== '').length);
  const headings = Math.max(0, counts.indexOf(Math.max(...counts)));
  return draftFor(table, headings);
}

export function draftFor(table: Table, headings: number): Draft {
  const names = headingsOf(table, headings);
  const guess = (what: string): string => names.find((name) => GUESSES[what]!.test(name)) ?? '';
  const [restaurant, date] = [guess('restaurant'), guess('date')];
  return {
    headings,
    restaurant: restaurant === '' ? 'told' : `column:${restaurant}`,
    date: date === '' ? 'told' : `column:${date}`,
    hour: guess('hour'),
    till: guess('till'),
    ...{ order: '', first: '0', nextDay: false, addUp: '', rows: '', kinds: {}, decimal: '' },
    fields: Object.fromEntries(FIELD_NAMES.map((field) => [field, noColumns])) as Draft['fields'],
  };
}

const placeOf = (chosen: string) =>
  chosen.startsWith('column:') ? { column: chosen.slice(7) } : { from: chosen as 'told' };

function columnsOf({ restaurant, date, hour, till, addUp, rows, fields }: Draft): Set<string> {
  const sources = FIELD_NAMES.flatMap((field) =>
    fields[field].map((each) => each.replace(/^-/, '')),
  );
  return new Set([restaurant.slice(7), date.slice(7), hour, till, addUp, rows, ...sources]);
}

function fieldsOf({ fields }: Draft): Profile['fields'] {
  const sources = FIELD_NAMES.map((field) => {
    const [one, ...more] = fields[field];
    if (one === undefined) return [field, null];
    return [field, more.length > 0 ? [one, ...more] : one];
  });
  return Object.fromEntries(sources) as Profile['fields'];
}

/** Makes the profile; undefined while a choice is missing. */
export function profileOf(
  draft: Draft,
  name: string,
  used: readonly string[],
): Profile | undefined {
  if (draft.hour === '' || draft.fields.gto.length === 0) return undefined;
  const texts = (kind: string): string[] =>
    Object.keys(draft.kinds).filter((text) => draft.kinds[text] === kind);
  const lists = { read: texts('read'), skip: texts('skip'), total: texts('total') };
  const kept = Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
  const ignore = used.filter((heading) => !columnsOf(draft).has(heading));
  return {
    name,
    restaurant: placeOf(draft.restaurant),
    date: { ...placeOf(draft.date), ...(draft.order && { order: draft.order }) },
    hour: {
      column: draft.hour,
      ...(draft.first === '1' && { first: 1 as const }),
      ...(draft.nextDay && { next_day: true }),
    },
    ...(draft.till && { till: { column: draft.till } }),
    ...(draft.addUp && { add_up: draft.addUp }),
    ...(draft.rows && { rows: { column: draft.rows, ...kept } }),
    ...(draft.decimal && { decimal: draft.decimal }),
    fields: fieldsOf(draft),
    ...(ignore.length > 0 && { ignore }),
  };
}
