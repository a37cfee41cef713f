import type { Place, Profile, RowRule } from '../../../src/sales/files/profile.js';
import { type Answer, withAnswer } from '../../../src/sales/files/question.js';
import { type Table, textOf } from '../../../src/sales/files/table.js';
import { FIELD_NAMES } from '../fields.js';
import { MEANINGS, type Options, OTHERS, PROPOSALS } from './column-roles.js';

/** What a person has chosen so far. */
export interface Draft {
  /** The row with the headings, counted from 0 in the rows that are not empty. */
  readonly headings: number;
  /** What each column is for. */
  readonly roles: readonly string[];
  /** Where no column says it: `given`, `file_name`, `sheet_name` or `title:Store:`. */
  readonly restaurant: string;
  readonly date: string;
  /** What texts of columns mean, where a person chose it. */
  readonly meanings: Readonly<Record<string, string>>;
  readonly isFilledDown: boolean;
  readonly isInCents: boolean;
  /** What was asked of the file, and answered. */
  readonly answers: readonly Answer[];
}

export const headingsOf = (table: Table, row: number): string[] =>
  (table.rows[row]?.cells ?? []).map(textOf);

/** Returns the first texts of a column below the headings; small letters and capitals are one. */
export function textsBelow(table: Table, headings: number, column: number): string[] {
  const texts = table.rows.slice(headings + 1).map(({ cells }) => textOf(cells[column]));
  const known = new Map(texts.toReversed().map((text) => [text.toLowerCase(), text]));
  return [...known.values()].reverse().slice(0, 40);
}

/** Returns where the restaurant or the date may stand outside the columns; first where a date is. */
export function placesOf(table: Table, headings: number, file: string, isDate: boolean): Options {
  const titles = table.rows.slice(0, headings).flatMap(({ cells }) => {
    const whole = cells.map(textOf).filter((text) => text !== '');
    const [start = ''] = /^[^:\d]*:?/.exec(whole[0] ?? '') ?? [];
    const says = whole.join(' ');
    return says === start ? [] : [[`title:${start.trim()}`, `above: ${says}`] as const];
  });
  const places: Options = [
    ['file_name', `in the file’s name: ${file}`],
    ...(table.sheet ? [['sheet_name', `in the sheet’s name: ${table.sheet}`] as const] : []),
    ...titles,
  ];
  const hasDate = (label: string): boolean =>
    isDate && /\d{4}[\W_]?\d\d?[\W_]?\d\d?|\d\d?\W\d\d?\W\d\d/.test(label);
  const likely = places.filter(([, label]) => hasDate(label));
  const others = places.filter(([, label]) => !hasDate(label));
  return [...likely, ['given', 'said at each import'], ...others];
}

/** Takes the first row with most cells for that of the headings. */
export function firstDraft(table: Table, file: string): Draft {
  const counts = table.rows
    .slice(0, 40)
    .map((_, row) => headingsOf(table, row).filter(Boolean).length);
  return draftFor(table, Math.max(0, counts.indexOf(Math.max(...counts))), file);
}

/** Proposes what headings suggest. */
export function draftFor(table: Table, headings: number, file: string): Draft {
  const names = headingsOf(table, headings);
  const roles = names.map(() => '');
  for (const [role, pattern] of PROPOSALS) {
    const at = names.findIndex((name, index) => !roles[index] && pattern.test(name.trim()));
    if (at >= 0 && !roles.includes(role)) roles[at] = role;
  }
  const isBoth = (at: number): boolean =>
    textsBelow(table, headings, at).some((text) => /\d\D\d+\D\d+.*\d:\d\d/.test(text));
  const times = [roles.indexOf('date'), roles.indexOf('hour')].filter((at) => at >= 0);
  const both = times.find(isBoth);
  if (both !== undefined) for (const at of times) roles[at] = at === both ? 'date and hour' : '';
  const date = placesOf(table, headings, file, true)[0]?.[0] ?? 'given';
  const nothing = { meanings: {}, isFilledDown: false, isInCents: false, answers: [] };
  return { headings, roles, restaurant: 'given', date, ...nothing };
}

/** A column of which single texts say something. */
interface TextColumn {
  readonly role: keyof typeof MEANINGS;
  readonly column: string;
  readonly texts: readonly string[];
}

export function textColumns({ headings, roles }: Draft, table: Table): TextColumn[] {
  const names = headingsOf(table, headings);
  return roles.flatMap((role, index) =>
    role === 'rows' || role === 'payment'
      ? [{ role, column: names[index]!, texts: [...textsBelow(table, headings, index), OTHERS] }]
      : [],
  );
}

/** Returns what a text of a column means: as it was chosen, or as it suggests. */
export function meaningOf(
  { meanings }: Draft,
  { role, column }: Omit<TextColumn, 'texts'>,
  text: string,
): string {
  const chosen = meanings[`${column}\n${text}`];
  if (chosen !== undefined || text === OTHERS) return chosen ?? '';
  if (role === 'rows') return 'read';
  const named = PROPOSALS.find(([, pattern]) => pattern.test(text))?.[0] ?? '';
  return MEANINGS.payment.some(([payment]) => payment === named) ? named : '';
}

/** The columns whose empty cells in rows of an hour may repeat the one above. */
export function sparseColumns({ headings, roles }: Draft, table: Table): string[] {
  const hour = roles.findIndex((role) => role.startsWith('hour'));
  const rows = table.rows.slice(headings + 1).filter(({ cells }) => textOf(cells[hour]) !== '');
  return headingsOf(table, headings).filter(
    (_, at) =>
      /^(?:date|restaurant|till)$/.test(roles[at]!) &&
      rows.some(({ cells }) => textOf(cells[at]) === ''),
  );
}

/** Whether all amounts are whole numbers, which may be of cents. */
export const areWhole = ({ headings, roles }: Draft, table: Table): boolean =>
  roles.includes('gto') &&
  textsBelow(table, headings, roles.indexOf('gto')).every((text) => /^\d*$/.test(text));

function placeOf(column: string | undefined, elsewhere: string): Place {
  if (column !== undefined) return { column };
  if (elsewhere.startsWith('title:')) return { title: elsewhere.slice('title:'.length) };
  return { from: elsewhere as 'given' };
}

/** Returns the one, the list of several, or undefined. */
const oneOrMore = <Item>(items: readonly Item[]) => (items.length > 1 ? items : items[0]);

/** Makes the rules for rows, and how amounts are split by how they were paid. */
function rulesOf(draft: Draft, table: Table, paid: string) {
  const columns = textColumns(draft, table).map((each) => {
    const meaning = (text: string): string => meaningOf(draft, each, text);
    return { ...each, meaning };
  });
  const rows = columns.flatMap(({ role, column, texts, meaning }) => {
    const kinds = new Set(texts.map(meaning).filter((kind) => kind !== ''));
    const lists = [...kinds].map((kind) => [kind, texts.filter((text) => meaning(text) === kind)]);
    return role === 'rows' ? [{ column, ...Object.fromEntries(lists) } as RowRule] : [];
  });
  const by = columns.find(({ role }) => role === 'payment');
  const into = by?.texts.filter((text) => text !== OTHERS && by.meaning(text) !== '') ?? [];
  const split = by && {
    ...{ column: paid, by: by.column },
    into: Object.fromEntries(into.map((text) => [text, by.meaning(text)])),
    else: by.meaning(OTHERS) || undefined,
  };
  return { rows: oneOrMore(rows), split };
}

/** Makes the profile; undefined while the hour or the turnover is missing. */
export function profileOf(draft: Draft, table: Table, name: string): Profile | undefined {
  const names = headingsOf(table, draft.headings);
  const having = (...roles: string[]): string[] =>
    names.filter((_, index) => roles.includes(draft.roles[index]!));
  const hours = having('hour', 'hour from 1', 'date and hour');
  const [[turnover], [till]] = [having('gto'), having('till')];
  if (hours.length === 0 || turnover === undefined) return undefined;
  const fields = FIELD_NAMES.map((field) => {
    const taken = having(`-${field}`).map((column) => `-${column}`);
    return [field, oneOrMore([...having(field), ...taken]) ?? null];
  });
  const profile = {
    name,
    restaurant: placeOf(having('restaurant')[0], draft.restaurant),
    date: placeOf(having('date', 'date and hour')[0], draft.date),
    hour: { column: oneOrMore(hours), first: having('hour from 1').length > 0 ? 1 : undefined },
    till: till && { column: till },
    fields: Object.fromEntries(fields) as Profile['fields'],
    ...rulesOf(draft, table, turnover),
    add_up: oneOrMore(having('add_up', 'payment')),
    fill_down: draft.isFilledDown ? sparseColumns(draft, table) : undefined,
    cents: draft.isInCents || undefined,
    ignore: names.filter((each, index) => each !== '' && !draft.roles[index]),
  };
  const withoutUndefined = JSON.parse(JSON.stringify(profile)) as Profile;
  return draft.answers.reduce(withAnswer, withoutUndefined);
}
