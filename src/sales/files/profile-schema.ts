import * as v from 'valibot';
import { SALES_FIELDS } from '../fields/sales-fields.js';

const MAX_ENTRIES = 500;
const TEXT = 'must be a text of at most 200 characters';

/** PostgreSQL keeps neither a NUL nor half of a surrogate pair. */
const anyText = v.pipe(v.string(TEXT), v.maxLength(200, TEXT), v.regex(/^[^\0\p{Cs}]*$/u, TEXT));
const text = v.pipe(anyText, v.regex(/\S/, 'must be a text of 1 to 200 characters'));
const whole = (from: number, to: number, message: string) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(from, message), v.maxValue(to, message));
const oneOf = <const Values extends readonly (string | number)[]>(...values: Values) =>
  v.picklist(values, `must be ${values.map((value) => JSON.stringify(value)).join(' or ')}`);
const listOf = <Entry extends v.GenericSchema>(entry: Entry, min = 1) => {
  const message = `must be a list of ${min} to ${MAX_ENTRIES} entries`;
  const list = v.array(entry, message);
  return v.pipe(list, v.minLength(min, message), v.maxLength(MAX_ENTRIES, message));
};
/** One entry, or a list of them. */
const oneOrMore = <Entry extends v.GenericSchema>(entry: Entry) =>
  v.lazy((value) => (Array.isArray(value) ? listOf(entry) : entry)) as v.GenericSchema<
    v.InferOutput<Entry> | v.InferOutput<Entry>[]
  >;
const mapOf = <Value extends v.GenericSchema>(value: Value) =>
  v.pipe(
    v.record(anyText, value, 'must be an object'),
    v.maxEntries(MAX_ENTRIES, `must be an object of at most ${MAX_ENTRIES} entries`),
  );
const maybe = v.exactOptional;
const flag = maybe(v.boolean('must be true or false'));
const texts = maybe(listOf(anyText));
const object = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.strictObject(entries, ({ expected, received }) => {
    if (expected === 'never') return 'is not an option';
    return received === 'undefined' ? 'is missing' : 'must be an object';
  });

/** A heading, or the number of a column, from 1, of files without headings; one with a minus is taken away. */
const column = v.union(
  [text, v.pipe(whole(-1000, 1000, ''), v.notValue(0))],
  'must be a heading, or the number of a column from 1',
);
const columns = oneOrMore(column);
const FIELD_NAMES = SALES_FIELDS.map(({ name }) => name);
const field = v.picklist(FIELD_NAMES, 'must be a field of a record');

/** Where a text stands that is the same for many rows: in a column, or once for the file. */
const placeOf = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(
    object({
      column: maybe(column),
      title: maybe(text),
      /** `told` is how profiles of earlier releases say `given`. */
      from: maybe(oneOf('file_name', 'sheet_name', 'given', 'told')),
      ...entries,
    }),
    v.check(
      (place) => ['column', 'title', 'from'].filter((name) => name in place).length === 1,
      'must have either column, title or from',
    ),
  );
/** What becomes of the rows of each text of a column. */
const rowRule = object({ column, read: texts, order: texts, skip: texts, total: texts });

/** A total of a field that stands beside the table: in a numbered line, or beside a label. */
const namedTotal = v.pipe(
  object({ tag: maybe(text), title: maybe(text), is: field }),
  v.check(
    ({ tag, title }) => (tag === undefined) !== (title === undefined),
    'must have either tag or title',
  ),
);

/** Columns that add up to a field, with a minus where they are taken away; null: not in the files. */
const source = v.nullable(columns);
/** What a record must have must be mentioned: one that was forgotten would silently be 0. */
const fields = Object.fromEntries(
  SALES_FIELDS.map(({ name, isOptional }) => [name, isOptional ? maybe(source) : source]),
) as Record<(typeof FIELD_NAMES)[number], v.ExactOptionalSchema<typeof source, undefined>>;

const isEncoding = (label: string): boolean => {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
};

/** How the files of one source are read; docs/files.md explains every option. */
export const PROFILE = object({
  restaurant: placeOf({
    codes: maybe(mapOf(whole(1, 2_147_483_647, 'must be the number of a restaurant'))),
    ids: flag,
  }),
  date: placeOf({
    order: maybe(oneOf('dmy', 'mdy', 'ymd')),
    /** The names of the months from January on; 24 where there are short ones too. */
    months: maybe(
      v.pipe(
        listOf(text, 12),
        v.check(({ length }) => length === 12 || length === 24, 'must have 12 or 24 names'),
      ),
    ),
  }),
  hour: object({
    column: columns,
    first: maybe(oneOf(0, 1)),
    next_day: flag,
    day_begins: maybe(whole(0, 12, 'must be an hour from 0 to 12')),
    digits: maybe(oneOf('hours', 'minutes', 'seconds')),
  }),
  fields: object(fields),
  rows: maybe(oneOrMore(rowRule)),
  add_up: maybe(columns),
  till: maybe(placeOf({})),
  split: maybe(object({ column, by: column, into: mapOf(field), else: maybe(field) })),
  control: maybe(
    v.lazy((value) =>
      typeof value === 'string' ? oneOf('file', 'given', 'none') : oneOrMore(namedTotal),
    ) as v.GenericSchema<'file' | 'given' | 'none' | NamedTotal | NamedTotal[]>,
  ),
  decimal: maybe(oneOf('.', ',')),
  cents: flag,
  encoding: maybe(v.pipe(text, v.check(isEncoding, 'must be an encoding such as windows-1252'))),
  separator: maybe(oneOf(',', ';', '\t', '|', ' ')),
  lines: maybe(
    object({
      tag: v.union([text, whole(1, 1000, '')], 'must be the length of the tag, or what follows it'),
      row: text,
    }),
  ),
  skip_lines: texts,
  skip_sheets: texts,
  ignore: maybe(listOf(anyText, 0)),
  accept: texts,
  file_name: maybe(text),
  /** The file and the turnover of a day with which it was tried; the service writes by whom. */
  proof: maybe(object({ file: text, date: text, turnover: text, by: maybe(text) })),
  /** Whether it was saved before lines, zones and totals were checked; saving it again ends that. */
  unchecked: maybe(v.literal(true, 'must be true')),
});

type NamedTotal = v.InferOutput<typeof namedTotal>;
