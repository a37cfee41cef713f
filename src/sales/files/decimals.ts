/** Decimals of an amount at most; exact amounts are counted in units of its last one. */
const SCALE = 20;
const UNIT = 10n ** BigInt(SCALE);

/** An amount without rounding: a number of units of 10 to the power of -20. */
export type Decimal = bigint;

const SHIFTED = 4;
const SHIFT = 10n ** BigInt(SCALE - SHIFTED);
const MAX_SHIFTED = 10n ** 15n;

export const ONE: Decimal = UNIT;

/** Reads digits with at most one point, as `12.50`; undefined if there are too many decimals. */
export function decimalOf(digits: string): Decimal | undefined {
  if (digits === '0' || digits === '0.00') return 0n;
  if (digits.length <= 15 && !digits.includes('.')) return BigInt(digits) * UNIT;
  const [whole = '', fraction = ''] = digits.split('.');
  const decimals = fraction.replace(/0+$/, '');
  if (decimals.length > SCALE) return undefined;
  return BigInt(whole + decimals.padEnd(SCALE, '0'));
}

/** Writes an amount without an exponent and without zeros at its end. */
export function digitsOf(decimal: Decimal): string {
  const digits = String(decimal < 0n ? -decimal : decimal).padStart(SCALE + 1, '0');
  const plain = `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`.replace(/\.?0+$/, '');
  return decimal < 0n ? `-${plain}` : plain;
}

/** Writes a finite number with the digits that JSON would send, without an exponent. */
export function plainDigits(number: number): string {
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number)) ?? [];
  if (exponent === undefined) return String(number);
  const shift = Number(exponent);
  const digits = whole + fraction;
  return shift < 0
    ? `${sign}0.${digits.padStart(digits.length - shift - 1, '0')}`
    : sign + digits.padEnd(shift + 1, '0');
}

/** Returns the number that JSON carries; undefined if a digit would be rounded off. */
export function exactNumber(decimal: Decimal): number | undefined {
  // Whole numbers below 10^15 divide to the number that is nearest to the decimal.
  const shifted = decimal / SHIFT;
  if (shifted * SHIFT === decimal && shifted < MAX_SHIFTED) return Number(shifted) / 10 ** SHIFTED;
  const digits = digitsOf(decimal);
  const number = Number(digits);
  return plainDigits(number) === digits ? number : undefined;
}

export const centsOf = (decimal: Decimal): Decimal => decimal / 100n;
