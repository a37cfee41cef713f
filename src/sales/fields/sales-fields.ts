export const HOURS_PER_DAY = 24;

export const MAX_RECORDS_PER_UPLOAD = HOURS_PER_DAY;

/** One bit per hour. */
export const ALL_HOURS = 2 ** HOURS_PER_DAY - 1;

interface FieldDeclaration {
  readonly name: string;
  readonly kind: 'amount' | 'count';
  readonly isPayment?: true;
  /** Fields without default are required. */
  readonly default?: number;
  /** Of a field with default: the milliseconds in the name of its migration. */
  readonly since?: number;
  readonly description: string;
  readonly example: number;
}

/** In the contract's order; see docs/extending.md. */
const DECLARED = [
  { name: 'orders', kind: 'count', description: 'Number of orders or bills in this hour', example: 12 },
  {
    name: 'gto',
    kind: 'amount',
    description: 'Gross turnover: sales after discount, before GST and service charge',
    example: 350.5,
  },
  { name: 'gst', kind: 'amount', description: 'Government Service Tax', example: 28.04 },
  { name: 'svc', kind: 'amount', description: 'Service charge', example: 35.05 },
  { name: 'discount', kind: 'amount', description: 'Total discount applied', example: 10 },
  { name: 'pax', kind: 'count', description: 'Number of guests (covers) served', example: 25 },
  { name: 'cash', kind: 'amount', isPayment: true, description: 'Cash payments', example: 100 },
  { name: 'nets', kind: 'amount', isPayment: true, description: 'NETS payments', example: 50.5 },
  { name: 'visa', kind: 'amount', isPayment: true, description: 'Visa card payments', example: 150 },
  { name: 'master', kind: 'amount', isPayment: true, description: 'Mastercard payments', example: 63.09 },
  { name: 'amex', kind: 'amount', isPayment: true, description: 'American Express payments', example: 0 },
  { name: 'voucher', kind: 'amount', isPayment: true, description: 'Voucher or gift card payments', example: 50 },
  { name: 'other', kind: 'amount', isPayment: true, description: 'Other payments, such as mobile wallets', example: 0 },
  // a new field goes here
] as const satisfies readonly FieldDeclaration[];

type Declared = (typeof DECLARED)[number];
type Name = Declared['name'];

export interface SalesField extends FieldDeclaration {
  readonly name: Name;
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

export type SentFigures = {
  readonly [Field in Declared as Field['name']]: Field extends { readonly default: number }
    ? number | undefined
    : number;
};

export type Figures<Value> = Readonly<Record<Name, Value>>;

/** Cast it to type the properties of `FigureProperties`. */
export const FiguresBase: new () => object = Object;

/** Decorates a property per field. */
export function FigureProperties(decoratorFor: (field: SalesField) => PropertyDecorator): ClassDecorator {
  return ({ prototype }) => {
    for (const field of SALES_FIELDS) decoratorFor(field)(prototype as object, field.name);
  };
}
