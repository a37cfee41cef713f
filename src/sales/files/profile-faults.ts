import { SALES_FIELDS } from '../fields/sales-fields.js';
import { isBuiltIn, type Profile, rowRules, usedColumns } from './profile.js';
import { isObject } from './table.js';

const MAX_TEXT = 200;
const MAX_ENTRIES = 500;
const FIELD_NAMES: readonly string[] = SALES_FIELDS.map(({ name }) => name);

/** What is wrong with an option, and which one. */
interface Fault {
  readonly path: string;
  readonly text: string;
}

type Check = (value: unknown, path: string) => Fault[];
type Options = Readonly<Record<string, Check>>;

const fault = (path: string, text: string): Fault[] => [{ path, text }];

/** PostgreSQL keeps neither a NUL nor half of a surrogate pair. */
const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_TEXT && !/[\0\p{Cs}]/u.test(value);
const isText = (value: unknown): value is string => isShort(value) && value.trim() !== '';
const isNumber = (value: unknown): boolean =>
  Number.isInteger(value) && Math.abs(Number(value)) <= 1000 && value !== 0;

const when =
  (passes: (value: unknown) => boolean, text: string): Check =>
  (value, path) =>
    passes(value) ? [] : fault(path, text);

const oneOf = (...values: unknown[]): Check =>
  when(
    (value) => values.includes(value),
    `must be ${values.map((value) => JSON.stringify(value)).join(' or ')}`,
  );

const column = when(
  (value) => isText(value) || isNumber(value),
  'must be a heading, or the number of a column from 1',
);
const text = when(isText, `must be a text of 1 to ${MAX_TEXT} characters`);
const restaurantId = when(
  (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 2_147_483_647,
  'must be the number of a restaurant',
);
const field = when((value) => FIELD_NAMES.includes(value as string), 'must be a field of a record');

const dayBegins = when(
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 12,
  'must be an hour from 0 to 12',
);

/** Checks each entry of a list, which may have one. */
const listOf =
  (check: Check, { mayBeOne = false } = {}): Check =>
  (value, path) => {
    if (mayBeOne && !Array.isArray(value)) return check(value, path);
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ENTRIES)
      return fault(path, `must be a list of 1 to ${MAX_ENTRIES} entries`);
    return value.flatMap((entry, index) => check(entry, `${path}[${index}]`));
  };

const mapOf =
  (check: Check): Check =>
  (value, path) => {
    if (!isObject(value) || Object.keys(value).length > MAX_ENTRIES)
      return fault(path, `must be an object of at most ${MAX_ENTRIES} entries`);
    return Object.entries(value).flatMap(([name, entry]) =>
      isShort(name)
        ? check(entry, `${path}.${name}`)
        : fault(path, `has a name that is not a text of at most ${MAX_TEXT} characters`),
    );
  };

const optionsOf =
  (options: Options, required: readonly string[] = []): Check =>
  (value, path) => {
    if (!isObject(value)) return fault(path, 'must be an object');
    const prefix = path === '' ? '' : `${path}.`;
    const missing = required.filter((name) => !(name in value));
    return [
      ...missing.flatMap((name) => fault(prefix + name, 'is missing')),
      ...Object.entries(value).flatMap(([name, entry]) => {
        const check = Object.hasOwn(options, name) ? options[name] : undefined;
        return check ? check(entry, prefix + name) : fault(prefix + name, 'is not an option');
      }),
    ];
  };

/** A place is one of: a column, a title, a name, or given by who imports. */
const placeOf =
  (others: Options, ...from: string[]): Check =>
  (value, path) => {
    const faults = optionsOf({ column, title: text, from: oneOf(...from), ...others })(value, path);
    const places = isObject(value)
      ? ['column', 'title', 'from'].filter((name) => name in value)
      : [];
    return faults.length > 0 || places.length === 1
      ? faults
      : fault(path, 'must have either column, title or from');
  };

const source: Check = (value, path) =>
  value === null ? [] : listOf(column, { mayBeOne: true })(value, path);

/** What a record must have must be mentioned: one that was forgotten would silently be 0. */
const fields = optionsOf(
  Object.fromEntries(FIELD_NAMES.map((name) => [name, source])),
  SALES_FIELDS.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
);

const texts = listOf(when(isShort, `must be a text of at most ${MAX_TEXT} characters`));

/** Lists the columns that are not used: with an empty list every one is. */
const ignored: Check = (value, path) =>
  Array.isArray(value) && value.length === 0 ? [] : texts(value, path);

const months = when(
  (value) => Array.isArray(value) && [12, 24].includes(value.length) && value.every(isText),
  'must be a list of 12 names, or of 24 with short ones',
);

const namedTotal: Check = (value, path) => {
  const faults = optionsOf({ tag: text, title: text, is: field }, ['is'])(value, path);
  return faults.length > 0 || 'tag' in (value as object) !== 'title' in (value as object)
    ? faults
    : fault(path, 'must have either tag or title');
};

const control: Check = (value, path) =>
  typeof value === 'string'
    ? oneOf('file', 'given', 'none')(value, path)
    : listOf(namedTotal, { mayBeOne: true })(value, path);

const encoding = when((value) => {
  try {
    return isText(value) && new TextDecoder(value).encoding !== '';
  } catch {
    return false;
  }
}, 'must be an encoding such as windows-1252');

const OPTIONS: Options = {
  restaurant: placeOf(
    { codes: mapOf(restaurantId), ids: oneOf(true, false) },
    'file_name',
    'sheet_name',
    'given',
    'told',
  ),
  date: placeOf(
    { order: oneOf('dmy', 'mdy', 'ymd'), months },
    'file_name',
    'sheet_name',
    'given',
    'told',
  ),
  hour: optionsOf(
    {
      column: listOf(column, { mayBeOne: true }),
      first: oneOf(0, 1),
      next_day: oneOf(true, false),
      day_begins: dayBegins,
      digits: oneOf('hours', 'minutes', 'seconds'),
    },
    ['column'],
  ),
  fields,
  rows: listOf(
    optionsOf({ column, read: texts, order: texts, skip: texts, total: texts }, ['column']),
    { mayBeOne: true },
  ),
  add_up: listOf(column, { mayBeOne: true }),
  till: placeOf({}, 'file_name', 'sheet_name'),
  split: optionsOf({ column, by: column, into: mapOf(field), else: field }, [
    'column',
    'by',
    'into',
  ]),
  decimal: oneOf('.', ','),
  cents: oneOf(true, false),
  encoding,
  separator: oneOf(',', ';', '\t', '|', ' '),
  fill_down: listOf(column),
  lines: optionsOf(
    {
      tag: when(
        (value) => isText(value) || (isNumber(value) && Number(value) > 0),
        'must be the length of the tag, or what follows it',
      ),
      row: text,
    },
    ['tag', 'row'],
  ),
  control,
  skip_lines: texts,
  skip_sheets: texts,
  ignore: ignored,
  accept: texts,
  file_name: text,
  proof: optionsOf({ file: text, date: text, turnover: text, by: text }, [
    'file',
    'date',
    'turnover',
  ]),
  unchecked: oneOf(true),
};

const profileOptions = optionsOf(OPTIONS, ['restaurant', 'date', 'hour', 'fields']);

/** Finds what is wrong with a profile, whose name is given beside it. */
export function profileFaults(value: unknown, path = ''): Fault[] {
  const faults = profileOptions(value, path);
  return faults.length > 0 ? faults : inconsistencies(value as Profile, path);
}

function inconsistencies(profile: Profile, path: string): Fault[] {
  const at = (option: string): string => (path === '' ? option : `${path}.${option}`);
  const columns = usedColumns(profile);
  const numbers = columns.filter((each) => typeof each === 'number');
  if (numbers.length > 0 && numbers.length < columns.length)
    return fault(
      at('hour.column'),
      'must be a heading if other columns are, or a number if they are',
    );
  if (numbers.length > 0 && profile.file_name === undefined)
    return fault(at('file_name'), 'is missing: files without headings are told by their name');
  if (rowRules(profile).some(({ order }) => order) && profile.fields.orders !== null)
    return fault(at('fields.orders'), 'must be null, as rows.order counts the orders');
  const { split, fields: named } = profile;
  if (named.gto === null && !Object.values(split?.into ?? {}).includes('gto'))
    return fault(at('fields.gto'), 'must not be null');
  return [];
}

/** Says what is wrong with the name of a profile; undefined if it is right. */
export function nameFault(name: string): string | undefined {
  if (isBuiltIn(name)) return 'is the name of a profile of the service';
  return /^[a-z0-9][a-z0-9-]{0,59}$/.test(name)
    ? undefined
    : 'must be 1 to 60 small letters, digits and hyphens';
}
