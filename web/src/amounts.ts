import {
  add,
  type Decimal,
  decimalOf,
  digitsOf,
  negated,
} from '../../src/sales/fields/decimals.js';

/** Everybody reads the same numbers, as `1,234.50`, whatever the language of the browser is. */
const GROUPED = new Intl.NumberFormat('en');
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const MINUS = '−';

/** Writes an amount as `1,250.50`, digit for digit; at least two decimals are shown. */
export function amountText(digits: string): string {
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const text = `${GROUPED.format(BigInt(whole))}.${fraction.padEnd(2, '0')}`;
  return digits.startsWith('-') ? MINUS + text : text;
}

/** Writes a difference as `+42.79` or `−80.00`. */
export const differenceText = (digits: string): string =>
  /[1-9]/.test(digits) && !digits.startsWith('-') ? `+${amountText(digits)}` : amountText(digits);

export const numberText = (count: number | string): string => GROUPED.format(BigInt(count));

/** Writes a count with its noun: `1 restaurant`, `1,250 restaurants`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;

/** Writes a number in short, as `12.5K`; it is for charts alone. */
export const compactText = (value: number): string => COMPACT.format(value);

/** Writes a share as `50.5%`. */
export const percentText = (share: string): string => `${fixed(share)}%`;

/** Writes a change as `+50.5%` or `−3.9%`. */
export function changeText(percent: string): string {
  const text = fixed(percent);
  if (/^-?0\.0$/.test(text)) return '0.0%';
  return `${text.startsWith('-') ? MINUS : '+'}${text.replace('-', '')}%`;
}

function fixed(percent: string): string {
  const [whole = '0', fraction = ''] = percent.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  return `${sign}${GROUPED.format(BigInt(whole.replace('-', '')))}.${fraction.padEnd(1, '0')}`;
}

const decimal = (digits: string): Decimal => decimalOf(digits)!;

/** Writes digits as the service does, so that `1,250.50` and `1250.5` are the same. */
export const plainDigits = (text: string): string => digitsOf(decimal(text.replaceAll(',', '')));

/** Adds decimals without losing a digit. */
export const addDecimals = (decimals: readonly string[]): string =>
  digitsOf(decimals.map(decimal).reduce(add, 0));

/** Subtracts decimals without losing a digit. */
export const subtract = (minuend: string, subtrahend: string): string =>
  digitsOf(add(decimal(minuend), negated(decimal(subtrahend))));

/** Divides decimals, rounded half away from zero; undefined if there is nothing to divide by. */
export const divide = (dividend: string, divisor: string) => quotient(dividend, divisor, 2);

/** Returns an amount as a percentage of another, with one decimal. */
export const percentOf = (part: string, whole: string): string | undefined =>
  quotient(part, whole, 3, 100n);

/** Returns by how many percent an amount is above an earlier one. */
export const changeOf = (now: string, before: string): string | undefined =>
  percentOf(subtract(now, before), before);

/** An amount has at most so many decimals. */
const PLACES = 20;

function units(digits: string): bigint {
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

function quotient(dividend: string, divisor: string, decimals: number, factor = 1n) {
  const below = units(divisor);
  if (below <= 0n) return undefined;
  const doubled = (units(dividend) * 2n * 10n ** BigInt(decimals)) / below;
  const rounded = (doubled + (doubled < 0n ? -1n : 1n)) / 2n;
  return digitsOf(rounded * factor * 10n ** BigInt(PLACES - decimals));
}
