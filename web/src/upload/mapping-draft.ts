import type { Place, Profile } from '../../../src/sales/files/profile.js';
import { type Answer, ask, type Question, withAnswer } from '../../../src/sales/files/question.js';
import { type Table, textOf } from '../../../src/sales/files/table.js';
import { FIELD_NAMES } from '../fields.js';
import { MEANINGS, type Options, OTHERS, PROPOSALS } from './columns-table.js';

export interface Draft {
  /** The row with the headings, counted from 0 in the rows that are not empty. */
  readonly headings: number;
  readonly roles: readonly string[];
  /** Where no column says it: `given`, `file_name`, `sheet_name` or `title:Store:`. */
  readonly restaurant: string;
  readonly date: string;
  /** What texts of columns mean, where a person chose it. */
  readonly meanings: Readonly<Record<string, string>>;
  readonly isInCents: boolean;
  /** What was asked of the file, and answered. */
  readonly answers: readonly Answer[];
}

export const headingsOf = (table: Table, row: number): string[] =>
  (table.rows[row]?.cells ?? []).map(textOf);

/** Returns the first texts of a column below the headings; small letters and capitals are one. */
function textsBelow({ rows }: Table, headings: number, column: number): string[] {
  const texts = rows.slice(headings + 1).map(({ cells }) => textOf(cells[column]));
  const known = new Map(texts.toReversed().map((text) => [text.toLowerCase(), text]));
  return [...known.values()].reverse().slice(0, 40);
}

/** Returns where the restaurant or the date may stand outside the columns. */
export function placesOf({ rows, sheet }: Table, headings: number, file: string): Options {
  const titles = rows.slice(0, headings).flatMap(({ cells }) => {
    const whole = cells.map(textOf).filter(Boolean);
    const [start = ''] = /^[^:\d]*:?/.exec(whole[0] ?? '') ?? [];
    const says = whole.join(' ');
    return says === start ? [] : [[`title:${start.trim()}`, `above: ${says}`] as const];
  });
  return [
    ['given', 'asked at each upload'],
    ['file_name', `in the file’s name: ${file}`],
    ...(sheet ? [['sheet_name', `in the sheet’s name: ${sheet}`] as const] : []),
    ...titles,
  ];
}

const DATE = /\d{4}[\W_]?\d\d?[\W_]?\d\d?|\d\d?\W\d\d?\W\d\d/;
const DATE_AND_TIME = /\d\D\d+\D\d+.*\d:\d\d/;

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
  // Only a turnover that is named as net or gto surely has no tax and no service charge in it.
  if (!/\b(?:net|gto)\b/i.test(names[roles.indexOf('gto')] ?? ''))
    for (const contained of ['gst', 'svc']) {
      const at = roles.indexOf(contained);
      if (at >= 0) roles[at] = `${contained}?`;
    }
  const times = [roles.indexOf('date'), roles.indexOf('hour')].filter((at) => at >= 0);
  const both = times.find((at) =>
    textsBelow(table, headings, at).some((text) => DATE_AND_TIME.test(text)),
  );
  if (both !== undefined) for (const at of times) roles[at] = at === both ? 'date and hour' : '';
  const [date] = placesOf(table, headings, file).find(([, label]) => DATE.test(label)) ?? ['given'];
  const nothing = { meanings: {}, isInCents: false, answers: [] };
  return { headings, roles, restaurant: 'given', date, ...nothing };
}

/** A column of which single texts say something, and what they mean. */
interface TextColumn {
  readonly role: keyof typeof MEANINGS;
  readonly column: string;
  readonly meanings: ReadonlyMap<string, string>;
}

/** Returns the columns of which single texts say something; a text means what was chosen or it suggests. */
export function textColumns({ headings, roles, meanings }: Draft, table: Table): TextColumn[] {
  return headingsOf(table, headings).flatMap((column, index) => {
    const role = roles[index]!;
    if (role !== 'rows' && role !== 'payment') return [];
    const texts = [...textsBelow(table, headings, index), OTHERS];
    const meant = texts.map((text): [string, string] => {
      return [text, meanings[`${column}\n${text}`] ?? suggested(role, text)];
    });
    return [{ role, column, meanings: new Map(meant) }];
  });
}

function suggested(role: TextColumn['role'], text: string): string {
  if (text === OTHERS) return '';
  if (role === 'rows') return 'read';
  const named = PROPOSALS.find(([, pattern]) => pattern.test(text))?.[0] ?? '';
  return MEANINGS.payment.some(([payment]) => payment === named) ? named : '';
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
function rulesOf(columns: readonly TextColumn[], paid: string) {
  const rows = columns.flatMap(({ role, column, meanings }) => {
    if (role !== 'rows') return [];
    const lists: Record<string, string[]> = {};
    for (const [text, kind] of meanings) if (kind) (lists[kind] ??= []).push(text);
    return [{ column, ...lists }];
  });
  const by = columns.find(({ role }) => role === 'payment');
  const { [OTHERS]: others, ...into } = Object.fromEntries(by?.meanings ?? []);
  const known = Object.entries(into).filter(([, payment]) => payment !== '');
  const split = by && {
    ...{ column: paid, by: by.column, into: Object.fromEntries(known) },
    else: others || undefined,
  };
  return { rows: oneOrMore(rows), split };
}

/** Asks whether the turnover contains the tax or service charge of a column, and which one it is. */
export function taxQuestion({ headings, roles }: Draft, table: Table): Question | undefined {
  const names = headingsOf(table, headings);
  const at = roles.findIndex((role) => role.endsWith('?'));
  const turnover = names[roles.indexOf('gto')];
  if (at < 0 || turnover === undefined) return undefined;
  const field = roles[at]!.slice(0, -1);
  return ask('roles', `Does ${turnover} contain ${names[at]}?`, [
    [roles.with(at, `${field},-gto`), `Yes, take ${names[at]} off`],
    [roles.with(at, field), `No, ${names[at]} comes on top`],
  ]);
}

/** Makes the profile; undefined while the hour or the turnover is missing or in question. */
export function profileOf(draft: Draft, table: Table, name: string): Profile | undefined {
  const names = headingsOf(table, draft.headings);
  const having = (...roles: string[]): string[] =>
    names.filter((_, index) => draft.roles[index]!.split(',').some((role) => roles.includes(role)));
  const hours = having('hour', 'hour from 1', 'date and hour');
  const [[turnover], [till]] = [having('gto'), having('till')];
  if (hours.length === 0 || turnover === undefined || taxQuestion(draft, table)) return undefined;
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
    ...rulesOf(textColumns(draft, table), turnover),
    add_up: oneOrMore(having('add_up', 'payment')),
    cents: draft.isInCents || undefined,
    ignore: names.filter((each, index) => each !== '' && !draft.roles[index]),
  };
  const withoutUndefined = JSON.parse(JSON.stringify(profile)) as Profile;
  return draft.answers.reduce(withAnswer, withoutUndefined);
}
