import { amountText, numberText } from './amounts.js';

/** Names for people; a field that is not here keeps its own name. */
const LABELS: Readonly<Record<string, string>> = {
  restaurant_id: 'Restaurant',
  date: 'Date',
  hour: 'Hour',
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
const COUNTS = ['orders', 'pax'];

/** The numbers of an hour or a day, as the digits that are stored. */
export type Figures = Readonly<Record<string, string>>;

export const labelOf = (field: string): string => LABELS[field] ?? field;

/** Writes an hour as `09:00`. */
export const hourText = (hour: string | number): string => `${String(hour).padStart(2, '0')}:00`;

export const kindOf = (field: string) => (COUNTS.includes(field) ? 'count' : 'amount');

/** Shows a count, or an amount with its decimals. */
export const figureText = (field: string, digits: string): string =>
  kindOf(field) === 'count' ? numberText(digits) : amountText(digits);
