import { add, type Decimal, decimalOf, digitsOf } from './decimals.js';
import { type Figures, SALES_FIELDS } from './sales-fields.js';

/** Figures as PostgreSQL returns them: amounts are text, with every digit. */
type StoredFigures = Figures<number | string | null>;

/** Returns the figures alone. */
export function figuresOf<Value>(row: Figures<Value>): Figures<Value> {
  return Object.fromEntries(SALES_FIELDS.map(({ name }) => [name, row[name]])) as Figures<Value>;
}

/** Adds up figures without rounding. */
export function totalsOf(rows: readonly StoredFigures[]): StoredFigures {
  const totals = SALES_FIELDS.map(({ name }) => {
    const amounts = rows.map((row): Decimal => decimalOf(String(row[name]))!);
    return [name, digitsOf(amounts.reduce(add, 0))];
  });
  return Object.fromEntries(totals) as StoredFigures;
}

const NAMES = SALES_FIELDS.map(({ name }) => name).join('|');
const FIGURE_AS_TEXT = new RegExp(
  `"((?:${NAMES})(?:_before|_after)?|before|after)":"([\\d.]+)"`,
  'g',
);

/** Writes JSON in which figures are numbers: JavaScript's own would lose digits. */
export function toJson(body: object): string {
  return JSON.stringify(body).replaceAll(FIGURE_AS_TEXT, '"$1":$2');
}
