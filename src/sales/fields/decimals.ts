/**
 * An amount without rounding: a number of units of 10 to the power of -4, or a bigint of units of
 * 10 to the power of -20 if it is too long for that. Equal amounts are equal by `===`.
 */
export type Decimal = number | bigint;

const PLACES = 4;
const UNIT = 10 ** PLACES;
/** Decimals of an amount at most. */
const LONG_PLACES = 20;
const LONG_UNITS = 10n ** BigInt(LONG_PLACES - PLACES);

/** Texts of this length are whole numbers of units that a double holds exactly. */
const MAX_SHORT_LENGTH = 11;

/** Beyond it a double may not have all digits. */
const MAX_EXACT = 10 ** 15;

export const ONE: Decimal = UNIT;

const long = (decimal: Decimal): bigint =>
  typeof decimal === 'bigint' ? decimal : BigInt(decimal) * LONG_UNITS;

function shortened(decimal: bigint): Decimal {
  const units = Number(decimal / LONG_UNITS);
  return decimal % LONG_UNITS === 0n && Number.isSafeInteger(units) ? units : decimal;
}

/** Reads digits with at most one point, as `12.50`; undefined if there are too many decimals. */
export function decimalOf(digits: string): Decimal | undefined {
  const point = digits.indexOf('.');
  if (digits.length <= MAX_SHORT_LENGTH && (point < 0 || digits.length - point - 1 <= PLACES))
    return Math.round(Number(digits) * UNIT);
  const [whole = '', fraction = ''] = digits.split('.');
  const decimals = fraction.replace(/0+$/, '');
  if (decimals.length > LONG_PLACES) return undefined;
  return shortened(BigInt(whole + decimals.padEnd(LONG_PLACES, '0')));
}

export function add(one: Decimal, other: Decimal): Decimal {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return shortened(long(one) + long(other));
}

/** Turns the sign of an amount; zero has none. */
export const negated = (decimal: Decimal): Decimal =>
  typeof decimal === 'number' ? 0 - decimal : -decimal;

export const isWhole = (decimal: Decimal): boolean =>
  typeof decimal === 'number' ? decimal % UNIT === 0 : decimal % long(ONE) === 0n;

/** Takes a whole number of cents. */
export const centsOf = (decimal: Decimal): Decimal =>
  typeof decimal === 'number' ? decimal / 100 : shortened(decimal / 100n);

/** Writes an amount without an exponent and without zeros at its end. */
export function digitsOf(decimal: Decimal): string {
  const units = long(decimal);
  const digits = String(units < 0n ? -units : units).padStart(LONG_PLACES + 1, '0');
  const [whole, fraction] = [digits.slice(0, -LONG_PLACES), digits.slice(-LONG_PLACES)];
  return (units < 0n ? '-' : '') + `${whole}.${fraction}`.replace(/\.?0+$/, '');
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
  // A quotient of whole numbers below 10^15 is the number that is nearest to the decimal.
  if (typeof decimal === 'number' && Math.abs(decimal) < MAX_EXACT) return decimal / UNIT;
  const digits = digitsOf(decimal);
  const number = Number(digits);
  return plainDigits(number) === digits ? number : undefined;
}
