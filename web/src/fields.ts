/** Names of the amounts for people; a field that is not here keeps its own name. */
const LABELS: Readonly<Record<string, string>> = {
  orders: 'Orders',
  gto: 'Turnover',
  gst: 'GST',
  svc: 'Service charge',
  discount: 'Discount',
  pax: 'Covers',
  cash: 'Cash',
  nets: 'NETS',
  visa: 'Visa',
  master: 'Mastercard',
  amex: 'Amex',
  voucher: 'Voucher',
  other: 'Other',
};

export const PAYMENTS = ['cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other'] as const;

/** The numbers of an hour or a day, as the digits that are stored. */
export type Figures = Readonly<Record<string, string>>;

export function labelOf(field: string): string {
  return LABELS[field] ?? field;
}

/** `09:00` */
export function hourText(hour: number | string): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
