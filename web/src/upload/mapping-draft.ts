import type { DateOrder, Place, Profile } from '../../../src/sales/files/profile.js';
import { type Table, textOf } from '../../../src/sales/files/table.js';
import { type Field, FIELD_NAMES } from '../fields.js';

/** Stands for every text of a column that is not listed. */
export const OTHERS = '*';

/** What a person has chosen so far; an empty text stands for nothing. */
export interface Draft {
  /** The row with the headings, counted from 0 in the rows that are not empty. */
  readonly headings: number;
  /** `column:Outlet`, `title:Store:`, or one of `told`, `file_name`, `sheet_name`. */
  readonly restaurant: string;
  readonly date: string;
  readonly till: string;
  readonly order: DateOrder | '';
  readonly hour: string;
  /** The column beside the hour that says am or pm. */
  readonly half: string;
  readonly first: '0' | '1';
  /** Where hours after midnight belong: `next` if they are 24 and more, or when the day begins. */
  readonly night: string;
  readonly addUp: readonly string[];
  readonly fillDown: readonly string[];
  readonly rows: string;
  /** What becomes of the rows of each text of the column `rows`. */
  readonly kinds: Readonly<Record<string, RowKind>>;
  readonly amounts: '' | '.' | ',' | 'cents';
  readonly fields: Readonly<Record<Field, readonly string[]>>;
  /** The amount of which another column says how it was paid. */
  readonly paid: string;
  readonly paidBy: string;
  readonly payments: Readonly<Record<string, Field>>;
}

export type RowKind = 'read' | 'order' | 'skip' | 'total';

const noColumns: readonly string[] = [];

const GUESSES: Readonly<Record<string, RegExp>> = {
  restaurant: /^(outlet|store|shop|restaurant|location|branch|tenant|filiale|loja|tienda)/i,
  date: /^(date|day|trandate|business date|datum|data|fecha)/i,
  hour: /^(hour|time|start|stunde|hora|hours)/i,
  till: /^(till|terminal|termnum|pos|machine|register)/i,
};

const cellsOf = (table: Table, row: number): string[] => (table.rows[row]?.cells ?? []).map(textOf);

export const headingsOf = (table: Table, row: number): string[] =>
  cellsOf(table, row).filter((heading) => heading !== '');

/** Returns how the titles above the headings begin, before what they say. */
export function titlesOf(table: Table, headings: number): string[] {
  const labels = table.rows.slice(0, headings).map((_, row) => {
    const [label = '', ...more] = cellsOf(table, row).filter((text) => text !== '');
    const [start = ''] = /^[^:\d]*:?/.exec(label) ?? [];
    return more.length > 0 || start.length < label.length ? start.trim() : '';
  });
  return [...new Set(labels)].filter((label) => label !== '');
}

/** Returns the first texts of a column below the headings; small letters and capitals are one. */
export function textsBelow(table: Table, headings: number, column: string): string[] {
  const at = cellsOf(table, headings).indexOf(column);
  const rows = at < 0 ? [] : table.rows.slice(headings + 1);
  const texts = rows.map(({ cells }) => textOf(cells[at])).reverse();
  const known = new Map(texts.map((text) => [text.toLowerCase(), text]));
  return [...known.values()].reverse().slice(0, 40);
}

/** Takes the first row with most cells for that of the headings, and proposes what names suggest. */
export function firstDraft(table: Table): Draft {
  const counts = table.rows.slice(0, 40).map((_, row) => headingsOf(table, row).length);
  const headings = Math.max(0, counts.indexOf(Math.max(...counts)));
  return draftFor(table, headings);
}

export function draftFor(table: Table, headings: number): Draft {
  const names = headingsOf(table, headings);
  const guess = (what: string): string => names.find((name) => GUESSES[what]!.test(name)) ?? '';
  const [restaurant, date, till] = ['restaurant', 'date', 'till'].map(guess);
  return {
    headings,
    restaurant: restaurant ? `column:${restaurant}` : 'told',
    date: date ? `column:${date}` : 'told',
    till: till ? `column:${till}` : '',
    hour: guess('hour'),
    half: halfOf(table, headings, guess('hour')),
    ...{ order: '', first: '0', night: '', rows: '', kinds: {}, amounts: '' },
    ...{ addUp: noColumns, fillDown: noColumns, paid: '', paidBy: '', payments: {} },
    fields: Object.fromEntries(FIELD_NAMES.map((field) => [field, noColumns])) as Draft['fields'],
  };
}

function placeOf(chosen: string): Place {
  const [kind, name] = [
    chosen.slice(0, chosen.indexOf(':')),
    chosen.slice(chosen.indexOf(':') + 1),
  ];
  if (kind === 'column') return { column: name };
  return kind === 'title' ? { title: name } : { from: chosen as 'told' };
}

/** Returns the column that says am or pm of hours which do not; empty if there is none. */
function halfOf(table: Table, headings: number, hour: string): string {
  const isWhole = textsBelow(table, headings, hour).some((text) =>
    /[ap]\.?\s?m|^1[3-9]|^2\d/i.test(text),
  );
  const areHalves = (column: string): boolean => {
    const texts = textsBelow(table, headings, column).filter((text) => text !== '');
    return texts.length > 0 && texts.every((text) => /^[ap]\.?\s?m\.?$/i.test(text));
  };
  return (!isWhole && headingsOf(table, headings).find(areHalves)) || '';
}

/** The columns that a profile names. */
function columnsOf({
  hour,
  half,
  addUp,
  fillDown,
  rows,
  paid,
  paidBy,
  ...draft
}: Draft): Set<string> {
  const places = [draft.restaurant, draft.date, draft.till].map((place) => placeOf(place).column);
  const sources = Object.values(draft.fields)
    .flat()
    .map((each) => each.replace(/^-/, ''));
  return new Set([
    ...places.map(String),
    hour,
    half,
    rows,
    paid,
    paidBy,
    ...addUp,
    ...fillDown,
    ...sources,
  ]);
}

function fieldsOf({ fields }: Draft): Profile['fields'] {
  const sources = FIELD_NAMES.map((field) => {
    const [one, ...more] = fields[field];
    if (one === undefined) return [field, null];
    return [field, more.length > 0 ? [one, ...more] : one];
  });
  return Object.fromEntries(sources) as Profile['fields'];
}

function rowsOf({ rows, kinds }: Draft): Pick<Profile, 'rows'> {
  const lists = (['read', 'order', 'skip', 'total'] as const).map((kind) => {
    const texts = Object.keys(kinds).filter((text) => kinds[text] === kind);
    return [kind, texts] as const;
  });
  const kept = Object.fromEntries(lists.filter(([, texts]) => texts.length > 0));
  return rows === '' ? {} : { rows: { column: rows, ...kept } };
}

function splitOf({ paid, paidBy, payments }: Draft): Pick<Profile, 'split'> {
  if (paid === '' || paidBy === '') return {};
  const { [OTHERS]: others, ...into } = payments;
  return {
    split: {
      ...{ column: paid, by: paidBy, into: into },
      ...(others && { else: others }),
    },
  };
}

/** Makes the profile; undefined while a choice is missing. */
export function profileOf(
  draft: Draft,
  name: string,
  used: readonly string[],
): Profile | undefined {
  if (draft.hour === '' || draft.fields.gto.length === 0) return undefined;
  const { half, night, amounts, addUp, fillDown } = draft;
  const ignore = used.filter((heading) => !columnsOf(draft).has(heading));
  return {
    name,
    restaurant: placeOf(draft.restaurant),
    date: { ...placeOf(draft.date), ...(draft.order && { order: draft.order }) },
    hour: {
      column: half ? [draft.hour, half] : draft.hour,
      ...(draft.first === '1' && { first: 1 as const }),
      ...(night === 'next' && { next_day: true }),
      ...(/\d/.test(night) && { day_begins: Number(night) }),
    },
    ...(draft.till && { till: placeOf(draft.till) }),
    ...(addUp.length > 0 && { add_up: addUp }),
    ...(fillDown.length > 0 && { fill_down: fillDown }),
    ...rowsOf(draft),
    ...splitOf(draft),
    ...(amounts === 'cents' && { cents: true }),
    ...((amounts === '.' || amounts === ',') && { decimal: amounts }),
    fields: fieldsOf(draft),
    ...(ignore.length > 0 && { ignore }),
  };
}
