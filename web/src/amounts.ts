import {
  add,
  type Decimal,
  decimalOf,
  digitsOf,
  negated,
} from '../../src/sales/fields/decimals.js';

/** Everybody reads the same numbers, digit for digit, whatever the language of the browser is. */
function writerOf(options: Intl.NumberFormatOptions): (digits: string | number) => string {
  const format = new Intl.NumberFormat('en', options);
  return (digits) => format.format(digits as `${number}`).replace('-', '−');
}

const AMOUNT = { minimumFractionDigits: 2, maximumFractionDigits: 20 } as const;
const PERCENT = { style: 'unit', unit: 'percent', minimumFractionDigits: 1 } as const;
const SIGNED = { signDisplay: 'exceptZero' } as const;

/** Writes an amount as `1,250.50`; at least two decimals are shown. */
export const amountText = writerOf(AMOUNT);
/** Writes a difference as `+42.79` or `−80.00`. */
export const differenceText = writerOf({ ...AMOUNT, ...SIGNED });
export const numberText = writerOf({});
/** Writes a number in short, as `12.5K`; it is for charts alone. */
export const compactText = writerOf({ notation: 'compact', maximumSignificantDigits: 3 });
/** Writes a share as `50.5%`. */
export const percentText = writerOf(PERCENT);
/** Writes a change as `+50.5%` or `−3.9%`. */
export const changeText = writerOf({ ...PERCENT, ...SIGNED });

/** Writes a count with its noun: `1 restaurant`, `1,250 restaurants`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;

const decimal = (digits: string): Decimal => decimalOf(digits)!;

/** Signs between thousands. */
const GROUPED = /^[1-9]\d{0,2}(?:[\s,]\d{3})+(?!\d)/;

/**
 * Reads an amount as a person types it, such as `1,234.50` or `1234,50`, and writes it as the service
 * does; undefined if it is none.
 */
export function amountOf(typed: string): string | undefined {
  const ungrouped = typed.trim().replace(GROUPED, (thousands) => thousands.replace(/\D/g, ''));
  const plain = ungrouped.replace(/,(?=\d{1,2}$)/, '.');
  const read = /^\d+(\.\d+)?$/.test(plain) ? decimalOf(plain) : undefined;
  return read === undefined ? undefined : digitsOf(read);
}

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
