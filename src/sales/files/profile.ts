import { type Figures, SALES_FIELDS } from '../fields/sales-fields.js';
import type { DecimalSign } from './read-amounts.js';
import type { DateOrder } from './read-dates.js';

/** A heading, or the number of a column, from 1, of files without headings. */
export type ColumnName = string | number;

/** Where a text stands that is the same for many rows: in a column, or once for the file. */
export interface Place {
  readonly column?: ColumnName;
  /** How the cell begins that stands before it, or in which it is, above the headings. */
  readonly title?: string;
  /** `told` is how profiles of earlier releases say `given`. */
  readonly from?: 'file_name' | 'sheet_name' | 'given' | 'told';
}

export type FieldName = keyof Figures<unknown>;

/** Columns that add up to a field; one with a minus is taken away. */
export type FieldSource = null | ColumnName | readonly ColumnName[];

/** What becomes of the rows of each text of a column. */
export interface RowRule {
  readonly column: ColumnName;
  readonly read?: readonly string[];
  readonly order?: readonly string[];
  readonly skip?: readonly string[];
  readonly total?: readonly string[];
}

/** A total of a field that stands beside the table: in a numbered line, or beside a label. */
export interface NamedTotal {
  readonly tag?: string;
  /** How the label begins that stands before the total, above or below the rows. */
  readonly title?: string;
  readonly is: FieldName;
}

/** Where a total of the files stands: in the last row, elsewhere, given at each import, or nowhere. */
export type Control = 'file' | 'given' | 'none' | NamedTotal | readonly NamedTotal[];

/** The file and the turnover of a day by the till's own report with which a profile was tried. */
export interface Proof {
  readonly file: string;
  readonly date: string;
  readonly turnover: string;
  /** Name of the user who gave the turnover; the service writes it. */
  readonly by?: string;
}

/** How the files of one source are read; docs/files.md explains every option. */
export interface Profile {
  readonly name: string;
  readonly restaurant: Place & {
    readonly codes?: Readonly<Record<string, number>>;
    /** Whether the numbers are those of this service. */
    readonly ids?: boolean;
  };
  readonly date: Place & {
    readonly order?: DateOrder;
    /** The names of the months from January on; 24 where there are short ones too. */
    readonly months?: readonly string[];
  };
  readonly hour: {
    /** Several columns, such as the hour and am or pm, are read together. */
    readonly column: ColumnName | readonly ColumnName[];
    /** 1 where hour 1 is midnight to one. */
    readonly first?: 0 | 1;
    /** Whether 24 and more are hours of the next day. */
    readonly next_day?: boolean;
    /** Hours before this one are of the next day; 0 where all are of the date that is written. */
    readonly day_begins?: number;
    /** What digits alone are: hours (`9`), hours and minutes (`0900`), or seconds too (`090000`). */
    readonly digits?: DigitReading;
  };
  /** An optional field that is missing is in no file of the source. */
  readonly fields: Partial<Figures<FieldSource>>;
  /** A row is read only if each of several rules reads it. */
  readonly rows?: RowRule | readonly RowRule[];
  readonly add_up?: ColumnName | readonly ColumnName[];
  readonly till?: Place;
  readonly split?: {
    readonly column: ColumnName;
    readonly by: ColumnName;
    readonly into: Readonly<Record<string, FieldName>>;
    readonly else?: FieldName;
  };
  readonly control?: Control;
  readonly decimal?: DecimalSign;
  readonly cents?: boolean;
  readonly encoding?: string;
  readonly separator?: string;
  readonly fill_down?: readonly ColumnName[];
  readonly lines?: { readonly tag: number | string; readonly row: string };
  /** Patterns of lines that are no rows, such as `Page *`. */
  readonly skip_lines?: readonly string[];
  /** Patterns of the names of sheets that are not read. */
  readonly skip_sheets?: readonly string[];
  /** Columns that are known and not used; with this list every other column is asked about. */
  readonly ignore?: readonly string[];
  /** Words about a zone, a currency or a unit (`UTC`, `USD`) that were asked about and are right. */
  readonly accept?: readonly string[];
  /** Pattern of the names of the files, with `*` for any text. */
  readonly file_name?: string;
  readonly proof?: Proof;
  /** Whether it was saved before lines, zones and totals were checked; saving it again ends that. */
  readonly unchecked?: boolean;
}

/** How hours of digits alone are written. */
export type DigitReading = 'hours' | 'minutes' | 'seconds';

/** A profile of the service itself, which may do what those of users may not. */
export interface BuiltInProfile extends Profile {
  /** Headings that a file may lack; their fields are then 0. */
  readonly optional?: readonly string[];
  /** How many cells each line of a file without headings has. */
  readonly width?: number;
  /** The profile that reads the same files if their amounts are in cents. */
  readonly alternative?: string;
}

/** Takes the minus off a column that is taken away. */
function signed(name: ColumnName): { column: ColumnName; isTakenAway: boolean } {
  if (typeof name === 'number') return { column: Math.abs(name), isTakenAway: name < 0 };
  const isTakenAway = name.startsWith('-');
  return { column: isTakenAway ? name.slice(1) : name, isTakenAway };
}

const listOf = <Item>(items: Item | readonly Item[] | null | undefined): readonly Item[] =>
  items === null || items === undefined ? [] : ([items].flat() as Item[]);

/** Returns the columns of a field. */
export const sourcesOf = ({ fields }: Profile, field: FieldName) =>
  listOf(fields[field]).map(signed);

/** Whether a restaurant or a date is given at each import. */
export const isGiven = ({ from }: Place): boolean => from === 'given' || from === 'told';

export const rowRules = ({ rows }: Profile): readonly RowRule[] => listOf(rows);

export const addUpColumns = ({ add_up }: Profile): readonly ColumnName[] => listOf(add_up);

export const hourColumns = ({ hour }: Profile): readonly ColumnName[] => listOf(hour.column);

/** Returns every column that a profile names. */
export function usedColumns(profile: Profile): ColumnName[] {
  const { restaurant, date, till, split, fill_down } = profile;
  const named = [
    restaurant.column,
    date.column,
    ...hourColumns(profile),
    till?.column,
    ...rowRules(profile).map(({ column }) => column),
    split?.column,
    split?.by,
    ...addUpColumns(profile),
    ...listOf(fill_down),
    ...SALES_FIELDS.flatMap(({ name }) => sourcesOf(profile, name).map(({ column }) => column)),
  ];
  return [...new Set(named.filter((column) => column !== undefined))];
}

/** Returns the fields that files of the source have; a record has 0 in the others. */
export function fieldsOf(profile: Profile): FieldName[] {
  const { split } = profile;
  const bySplit = [...Object.values(split?.into ?? {}), split?.else];
  const counts = rowRules(profile).some(({ order }) => order);
  return SALES_FIELDS.map(({ name }) => name).filter(
    (name) =>
      sourcesOf(profile, name).length > 0 ||
      bySplit.includes(name) ||
      (counts && name === 'orders'),
  );
}

const ownFields = Object.fromEntries(
  SALES_FIELDS.map(({ name }) => [name, name]),
) as Figures<string>;

/** Our own CSV, whose columns have the names of the fields. */
const OWN_CSV: BuiltInProfile = {
  name: 'csv',
  restaurant: { column: 'restaurant_id', ids: true },
  date: { column: 'date' },
  hour: { column: 'hour', digits: 'hours' },
  fields: ownFields,
  // The export has a line for each hour that was expected, without figures if it is missing.
  rows: { column: 'status', read: ['*'], skip: ['missing'] },
  optional: [
    ...SALES_FIELDS.filter(({ isOptional }) => isOptional).map(({ name }) => name),
    ...['restaurant', 'status', 'currency'],
  ],
};

/** The hourly file of a mall; see docs/integrating.md#mall-files. */
const MALL: BuiltInProfile = {
  name: 'mall',
  separator: '|',
  width: 18,
  restaurant: { column: 1 },
  till: { column: 1 },
  date: { column: 3, order: 'dmy' },
  hour: { column: 4 },
  fields: {
    orders: 5,
    gto: 6,
    gst: 7,
    discount: 8,
    svc: 9,
    pax: 10,
    cash: 11,
    nets: 12,
    visa: 13,
    master: 14,
    amex: 15,
    voucher: 16,
    other: 17,
  },
};

export const BUILT_IN_PROFILES: readonly BuiltInProfile[] = [
  OWN_CSV,
  { ...MALL, alternative: 'mall-cents' },
  { ...MALL, name: 'mall-cents', cents: true },
];

export const isBuiltIn = (name: string): boolean =>
  BUILT_IN_PROFILES.some((profile) => profile.name === name);
