interface FieldDeclaration {
  readonly name: string;
  readonly kind: 'amount' | 'count';
  /** What the page calls it, where that is not its name with a capital. */
  readonly label?: string;
  readonly description: string;
  readonly example: number;
  readonly isPayment?: true;
  /** Whether a record may leave it out; it is then stored as 0. */
  readonly isOptional?: true;
}

const TURNOVER = 'Gross turnover: after discount, before GST and service charge';
const CHARGE = 'Service charge';
const PAYMENT = { kind: 'amount', isPayment: true } as const;

/** The figures of a record, in the order of the contract: DTOs, entities and SQL are made of it. */
const DECLARED = [
  { name: 'orders', kind: 'count', description: 'Orders or bills', example: 12 },
  { name: 'gto', kind: 'amount', label: 'Turnover', description: TURNOVER, example: 350.5 },
  { name: 'gst', kind: 'amount', label: 'GST', description: 'Goods and services tax', example: 28.04 },
  { name: 'svc', kind: 'amount', label: CHARGE, description: CHARGE, example: 35.05 },
  { name: 'discount', kind: 'amount', description: 'Total discount applied', example: 10 },
  { name: 'pax', kind: 'count', label: 'Covers', description: 'Guests served', example: 25 },
  { name: 'cash', ...PAYMENT, description: 'Cash payments', example: 100 },
  { name: 'nets', ...PAYMENT, label: 'NETS', description: 'NETS payments', example: 50.5 },
  { name: 'visa', ...PAYMENT, description: 'Visa payments', example: 150 },
  { name: 'master', ...PAYMENT, label: 'Mastercard', description: 'Mastercard payments', example: 63.09 },
  { name: 'amex', ...PAYMENT, description: 'American Express payments', example: 0 },
  { name: 'voucher', ...PAYMENT, description: 'Vouchers and gift cards', example: 50 },
  { name: 'other', ...PAYMENT, description: 'Mobile wallets and others', example: 0 },
  // a new field goes here
] as const satisfies readonly FieldDeclaration[]; // prettier-ignore

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

/** Writes names and values of the fields as `json_build_object` takes them. */
export function membersOf(alias: string): string {
  return listFields(({ name }) => `'${name}', ${alias}.${name}`);
}

export type Figures<Value> = Readonly<Record<FieldName, Value>>;

/** Makes a class with a property for each field, decorated with what `decorate` returns. */
export function FiguresType<Value>(
  decorate: (field: SalesField) => PropertyDecorator,
): new () => Figures<Value> {
  class WithFigures {
    readonly [name: string]: Value;
  }
  for (const field of SALES_FIELDS) decorate(field)(WithFigures.prototype, field.name);
  return WithFigures as new () => Figures<Value>;
}

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
