import { HOURS as HOUR_NUMBERS } from '../../src/calendar/hour-set.js';
import { SALES_FIELDS, type SalesField } from '../../src/sales/fields/sales-fields.js';
import { amountText, numberText } from './amounts.js';

const FIELDS = new Map<string, SalesField>(SALES_FIELDS.map((field) => [field.name, field]));

export type Field = SalesField['name'];

export const FIELD_NAMES: readonly Field[] = SALES_FIELDS.map(({ name }) => name);
export const PAYMENTS = SALES_FIELDS.filter(({ isPayment }) => isPayment).map(({ name }) => name);

/** The numbers of an hour or a day, as the digits that are stored. */
export type Figures = Readonly<Record<Field, string>>;

/** Makes figures, field by field. */
export const figuresOf = (valueOf: (field: Field) => string): Figures =>
  Object.fromEntries(FIELD_NAMES.map((field) => [field, valueOf(field)])) as Figures;

export const NO_FIGURES = figuresOf(() => '0');

/** Names a field for people. */
export function labelOf(field: string): string {
  if (field === 'restaurant_id') return 'Restaurant';
  return FIELDS.get(field)?.label ?? field.charAt(0).toUpperCase() + field.slice(1);
}

/** The hours of a day as the page keeps them. */
export const HOURS = HOUR_NUMBERS.map(String);

const SHORT_NAMES = new RegExp(
  `\\b(${SALES_FIELDS.flatMap(({ name, label }) => (label ? [name] : [])).join('|')})\\b`,
  'g',
);

/** Writes a text of the service as the page does: turnover for gto, `12:00`, `1,234.50`. */
export function inWords(message: string): string {
  const named = message.replace(SHORT_NAMES, (name) => {
    const label = labelOf(name);
    return label === label.toUpperCase() ? label : label.toLowerCase();
  });
  return named
    .replace(/\bhour (\d+):/, (_all, hour: string) => `${hourText(hour)}:`)
    .replace(/\b\d+\.\d+\b/g, amountText);
}

/** Writes an hour as `09:00`. */
export const hourText = (hour: string | number): string => `${String(hour).padStart(2, '0')}:00`;

/** Writes hours as ranges: `18:00 to 21:00, 23:00 to 24:00`. */
export function hoursText(hours: readonly (string | number)[]): string {
  const sorted = hours.map(Number).sort((one, other) => one - other);
  const ranges: [from: number, to: number][] = [];
  for (const hour of sorted) {
    const open = ranges.at(-1);
    if (open?.[1] === hour) open[1] = hour + 1;
    else ranges.push([hour, hour + 1]);
  }
  return ranges.map(([from, to]) => `${hourText(from)} to ${hourText(to)}`).join(', ');
}

export const kindOf = (field: string) => FIELDS.get(field)?.kind ?? 'amount';

/** Shows a count, or an amount with its decimals. */
export const figureText = (field: string, digits: string): string =>
  kindOf(field) === 'count' ? numberText(digits) : amountText(digits);
