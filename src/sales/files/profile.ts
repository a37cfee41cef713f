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
  readonly from?: 'file_name' | 'sheet_name' | 'told';
}

export type FieldName = keyof Figures<unknown>;

/** Columns that add up to a field; one with a minus is taken away. */
export type FieldSource = null | ColumnName | readonly ColumnName[];

/** How the files of one source are read; docs/files.md explains every option. */
export interface Profile {
  readonly name: string;
  readonly restaurant: Place & {
    readonly codes?: Readonly<Record<string, number>>;
    /** Whether the numbers are those of this service. */
    readonly ids?: boolean;
  };
  readonly date: Place & { readonly order?: DateOrder };
  readonly hour: {
    /** Several columns, such as the hour and am or pm, are read together. */
    readonly column: ColumnName | readonly ColumnName[];
    readonly first?: 0 | 1;
    readonly next_day?: boolean;
    /** Hours before this one are of the next day; 0 where all are of the date that is written. */
    readonly day_begins?: number;
  };
  /** An optional field that is missing is in no file of the source. */
  readonly fields: Partial<Figures<FieldSource>>;
  readonly rows?: {
    readonly column: ColumnName;
    readonly read?: readonly string[];
    readonly order?: readonly string[];
    readonly skip?: readonly string[];
    readonly total?: readonly string[];
  };
  readonly add_up?: ColumnName | readonly ColumnName[];
  readonly till?: Place;
  readonly split?: {
    readonly column: ColumnName;
    readonly by: ColumnName;
    readonly into: Readonly<Record<string, FieldName>>;
    readonly else?: FieldName;
  };
  readonly decimal?: DecimalSign;
  readonly cents?: boolean;
  readonly encoding?: string;
  readonly separator?: string;
  readonly fill_down?: readonly ColumnName[];
  readonly lines?: { readonly tag: number | string; readonly row: string };
  /** Columns that are known and not used: others that are not used give a warning. */
  readonly ignore?: readonly string[];
  /** Pattern of the names of files without headings, with `*` for any text. */
  readonly file_name?: string;
}

/** A profile of the service itself, which may do what those of users may not. */
export interface BuiltInProfile extends Profile {
  /** Headings that a file may lack; their fields are then 0. */
  readonly optional?: readonly string[];
  /** How many cells each line of a file without headings has. */
  readonly width?: number;
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

export const addUpColumns = ({ add_up }: Profile): readonly ColumnName[] => listOf(add_up);

export const hourColumns = ({ hour }: Profile): readonly ColumnName[] => listOf(hour.column);

/** Returns every column that a profile names. */
export function usedColumns(profile: Profile): ColumnName[] {
  const { restaurant, date, till, rows, split, fill_down } = profile;
  const named = [
    restaurant.column,
    date.column,
    ...hourColumns(profile),
    till?.column,
    rows?.column,
    split?.column,
    split?.by,
    ...addUpColumns(profile),
    ...listOf(fill_down),
    ...SALES_FIELDS.flatMap(({ name }) => sourcesOf(profile, name).map(({ column }) => column)),
  ];
  return [...new Set(named.filter((column) => column !== undefined))];
}

/** Whether a file of the source says how its turnover was paid. */
export function hasPayments({ fields, split }: Profile): boolean {
  const bySplit = [...Object.values(split?.into ?? {}), split?.else];
  return SALES_FIELDS.some(
    ({ name, isPayment }) => isPayment && (!!fields[name] || bySplit.includes(name)),
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
  hour: { column: 'hour' },
  fields: ownFields,
  ignore: ['currency'], // which the export has as a label
  optional: SALES_FIELDS.filter(({ isOptional }) => isOptional).map(({ name }) => name),
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
  MALL,
  { ...MALL, name: 'mall-cents', cents: true },
];

export const isBuiltIn = (name: string): boolean =>
  BUILT_IN_PROFILES.some((profile) => profile.name === name);
