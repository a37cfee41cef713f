import type { InferOutput } from 'valibot';
import { SALES_FIELDS, type SalesField } from '../fields/sales-fields.js';
import type { PROFILE } from './profile-schema.js';

type ReadOnly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: ReadOnly<Value[Key]> }
  : Value;

/** How the files of one source are read; its schema says what each option is. */
export type Profile = ReadOnly<InferOutput<typeof PROFILE>> & { readonly name: string };

/** A heading, or the number of a column, from 1, of files without headings. */
export type ColumnName = string | number;

/** Where a text stands that is the same for many rows: in a column, or once for the file. */
export type Place = NonNullable<Profile['till']>;

export type FieldName = SalesField['name'];
export type RowRule = Exclude<NonNullable<Profile['rows']>, readonly unknown[]>;
export type NamedTotal = Exclude<NonNullable<Profile['control']>, string | readonly unknown[]>;

/** The sign that a file writes before the decimals of an amount. */
export type DecimalSign = NonNullable<Profile['decimal']>;
/** In which order a source writes day, month and year. */
export type DateOrder = NonNullable<Profile['date']['order']>;
/** How hours of digits alone are written. */
export type DigitReading = NonNullable<Profile['hour']['digits']>;

/** A profile of the service itself, which may do what those of users may not. */
export interface BuiltInProfile extends Profile {
  /** Headings that a file may lack; their fields are then 0. */
  readonly optional?: readonly string[];
  /** How many cells each line of a file without headings has. */
  readonly width?: number;
}

const listOf = <Item>(items: Item | readonly Item[] | null | undefined): readonly Item[] =>
  items === null || items === undefined ? [] : ([items].flat() as Item[]);

/** A column that adds to a field, or is taken away from it. */
export interface Source {
  readonly field: SalesField;
  readonly column: ColumnName;
  readonly isTakenAway: boolean;
}

/** Returns the columns of all fields; one with a minus is taken away. */
export const sourcesOf = ({ fields }: Profile): Source[] =>
  SALES_FIELDS.flatMap((field) =>
    listOf(fields[field.name]).map((name) => {
      const isTakenAway = String(name).startsWith('-');
      const column = isTakenAway ? String(name).slice(1) : name;
      return { field, column: typeof name === 'number' ? Math.abs(name) : column, isTakenAway };
    }),
  );

/** Whether a restaurant or a date is given at each import. */
export const isGiven = ({ from }: Place): boolean => from === 'given' || from === 'told';

export const rowRules = ({ rows }: Profile): readonly RowRule[] => listOf(rows);

/** Returns the totals that stand beside the table. */
export const namedTotals = ({ control }: Profile): readonly NamedTotal[] =>
  typeof control === 'object' ? listOf(control) : [];

export const addUpColumns = ({ add_up }: Profile): readonly ColumnName[] => listOf(add_up);

export const hourColumns = ({ hour }: Profile): readonly ColumnName[] => listOf(hour.column);

/** Returns every column that a profile names. */
export function usedColumns(profile: Profile): ColumnName[] {
  const { restaurant, date, till, split } = profile;
  const named = [
    ...[restaurant.column, date.column, till?.column, split?.column, split?.by],
    ...[...hourColumns(profile), ...addUpColumns(profile)],
    ...rowRules(profile).map(({ column }) => column),
    ...sourcesOf(profile).map(({ column }) => column),
  ];
  return [...new Set(named.filter((column) => column !== undefined))];
}

/** Returns the fields that files of the source have; a record has 0 in the others. */
export function fieldsOf(profile: Profile): FieldName[] {
  const { split } = profile;
  const counted = rowRules(profile).some(({ order }) => order) ? ['orders'] : [];
  const filled = [
    ...sourcesOf(profile).map(({ field }) => field.name),
    ...[...Object.values(split?.into ?? {}), split?.else, ...counted],
  ];
  return SALES_FIELDS.map(({ name }) => name).filter((name) => filled.includes(name));
}

/** Our own CSV, whose columns have the names of the fields. */
const OWN_CSV: BuiltInProfile = {
  name: 'csv',
  restaurant: { column: 'restaurant_id', ids: true },
  date: { column: 'date' },
  hour: { column: 'hour', digits: 'hours' },
  fields: Object.fromEntries(SALES_FIELDS.map(({ name }) => [name, name])),
  // The export has a line for each hour that was expected, without figures if it is missing.
  rows: { column: 'status', read: ['*'], skip: ['missing'] },
  optional: [
    ...SALES_FIELDS.filter(({ isOptional }) => isOptional).map(({ name }) => name),
    ...['restaurant', 'status', 'currency'],
  ],
};

/** The hourly file of a mall; see docs/files.md#mall-files. */
const MALL: BuiltInProfile = {
  name: 'mall',
  separator: '|',
  width: 18,
  restaurant: { column: 1 },
  till: { column: 1 },
  date: { column: 3, order: 'dmy' },
  hour: { column: 4 },
  fields: {
    ...{ orders: 5, gto: 6, gst: 7, discount: 8, svc: 9, pax: 10, cash: 11 },
    ...{ nets: 12, visa: 13, master: 14, amex: 15, voucher: 16, other: 17 },
  },
};

const MALL_IN_CENTS: BuiltInProfile = { ...MALL, name: 'mall-cents', cents: true };

export const BUILT_IN_PROFILES: readonly BuiltInProfile[] = [OWN_CSV, MALL, MALL_IN_CENTS];

export const isBuiltIn = (name: string): boolean =>
  BUILT_IN_PROFILES.some((profile) => profile.name === name);
