/** Everybody reads the same numbers, as `1,234.50`, whatever the language of the browser is. */
const GROUPED = new Intl.NumberFormat('en');
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const MINUS = '−';

/** Writes an amount as `1,250.50`, digit for digit; at least two decimals are shown. */
export function amountText(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const text = `${GROUPED.format(BigInt(whole))}.${fraction.padEnd(2, '0')}`;
  return decimal.startsWith('-') ? MINUS + text : text;
}

/** Writes a difference as `+42.79` or `−80.00`. */
export const differenceText = (decimal: string): string =>
  /[1-9]/.test(decimal) && !decimal.startsWith('-')
    ? `+${amountText(decimal)}`
    : amountText(decimal);

/** Returns how many decimals an amount is shown with. */
export const decimalsOf = (decimal: string): number => Math.max(2, fractionOf(decimal).length);

/** Writes a count as `1,250`. */
export const numberText = (count: number | string): string => GROUPED.format(BigInt(count));

/** Writes a count with its noun: `1 restaurant`, `1,250 restaurants`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;

/** Writes a number in short, as `12.5K`; it is for the axes of charts alone. */
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

/** Integers of so many digits are added as numbers, which is many times faster; others as BigInt. */
const FEW_DIGITS = 12;
const FULL = 2 ** 52;

/** Adds decimals without losing a digit. */
export function addDecimals(decimals: readonly string[]): string {
  let scale = 0;
  for (const decimal of decimals) scale = Math.max(scale, countDecimals(decimal));
  let sum = 0n;
  let small = 0; // an integer below 2 ** 53, and so exact
  for (const decimal of decimals) {
    const digits = scaledDigits(decimal, scale);
    if (digits.length > FEW_DIGITS) sum += BigInt(digits);
    else small += Number(digits);
    if (Math.abs(small) < FULL) continue;
    sum += BigInt(small);
    small = 0;
  }
  return unscaled(sum + BigInt(small), scale);
}

function countDecimals(decimal: string): number {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
}

function scaledDigits(decimal: string, scale: number): string {
  const point = decimal.indexOf('.');
  if (point < 0) return scale === 0 ? decimal : decimal + '0'.repeat(scale);
  return decimal.slice(0, point) + decimal.slice(point + 1).padEnd(scale, '0');
}

/** Subtracts decimals without losing a digit. */
export function subtract(minuend: string, subtrahend: string): string {
  const scale = Math.max(fractionOf(minuend).length, fractionOf(subtrahend).length);
  return unscaled(scaled(minuend, scale) - scaled(subtrahend, scale), scale);
}

/** Divides decimals, rounded half away from zero; undefined if there is nothing to divide by. */
export function divide(dividend: string, divisor: string, decimals = 2): string | undefined {
  const scale = Math.max(fractionOf(dividend).length, fractionOf(divisor).length);
  const [above, below] = [scaled(dividend, scale), scaled(divisor, scale)];
  if (below <= 0n) return undefined;
  const doubled = (above * 2n * 10n ** BigInt(decimals)) / below;
  const rounded = (doubled + (doubled < 0n ? -1n : 1n)) / 2n;
  return unscaled(rounded, decimals);
}

/** Returns an amount as a percentage of another, with one decimal. */
export function percentOf(part: string, whole: string): string | undefined {
  const share = divide(part, whole, 3);
  return share === undefined ? undefined : unscaled(scaled(share, 3), 1);
}

/** Returns by how many percent an amount is above an earlier one. */
export const changeOf = (now: string, before: string): string | undefined =>
  percentOf(subtract(now, before), before);

const fractionOf = (decimal: string): string => decimal.split('.')[1] ?? '';

function scaled(decimal: string, scale: number): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

function unscaled(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}
