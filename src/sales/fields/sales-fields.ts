interface FieldDeclaration {
  readonly name: string;
  readonly kind: 'amount' | 'count';
  /** What the page calls it, where that is not its name with a capital. */
  readonly label?: string;
  readonly isPayment?: true;
  /** Whether a record may leave it out; it is then stored as 0. */
  readonly isOptional?: true;
}

/**
 * The figures of a record, in the order of the contract. `HourlySalesRecordDto` has their rules and
 * `HourlySales` their columns; types and tests keep the three equal.
 */
const DECLARED = [
  { name: 'orders', kind: 'count' },
  { name: 'gto', kind: 'amount', label: 'Turnover' },
  { name: 'gst', kind: 'amount', label: 'GST' },
  { name: 'svc', kind: 'amount', label: 'Service charge' },
  { name: 'discount', kind: 'amount' },
  { name: 'pax', kind: 'count', label: 'Covers' },
  { name: 'cash', kind: 'amount', isPayment: true },
  { name: 'nets', kind: 'amount', label: 'NETS', isPayment: true },
  { name: 'visa', kind: 'amount', isPayment: true },
  { name: 'master', kind: 'amount', label: 'Mastercard', isPayment: true },
  { name: 'amex', kind: 'amount', isPayment: true },
  { name: 'voucher', kind: 'amount', isPayment: true },
  { name: 'other', kind: 'amount', isPayment: true },
  // a new field goes here
] as const satisfies readonly FieldDeclaration[];

type FieldName = (typeof DECLARED)[number]['name'];

export interface SalesField extends FieldDeclaration {
  readonly name: FieldName;
}

export const SALES_FIELDS: readonly SalesField[] = DECLARED;

/** Writes an SQL list with an item per field. */
export function listFields(write: (field: SalesField) => string): string {
  return SALES_FIELDS.map(write).join(', ');
}

export const FIELD_NAMES = listFields(({ name }) => name);

/** The columns of the fields, in a table or alias. */
export function columnsOf(alias: string): string {
  return listFields(({ name }) => `${alias}.${name}`);
}

export type Figures<Value> = Readonly<Record<FieldName, Value>>;

/** The figures of a record as they are sent: optional ones may be missing. */
export type SentFigures = Partial<Figures<number>>;

/** A body of the upload route that has passed. */
export interface SentUpload {
  readonly records: readonly SentRecord[];
}

type SentRecord = SentFigures & {
  readonly restaurant_id: number;
  readonly date: string;
  readonly hour: number;
};
