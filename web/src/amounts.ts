const formatOf = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  new Intl.NumberFormat(undefined, { numberingSystem: 'latn', ...options });
const TENTHS = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const PERCENT = formatOf(TENTHS);
const CHANGE = formatOf({ ...TENTHS, signDisplay: 'exceptZero' });
const COMPACT = formatOf({ notation: 'compact' });
const PLAIN = formatOf({});
const POINT = PLAIN.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** Writes an amount as `1,250.50`, digit for digit, in the language of the browser. */
export function amountText(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  return `${PLAIN.format(BigInt(whole))}${POINT}${fraction.padEnd(2, '0')}`;
}

/** Returns how many decimals an amount is shown with. */
export const decimalsOf = (decimal: string): number => Math.max(2, fractionOf(decimal).length);

/** Writes a count as `1,250`. */
export const numberText = (count: number | string): string => PLAIN.format(Number(count));

/** Writes a count with its noun: `1 restaurant`, `1,250 restaurants`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;

/** Writes a number in short, as `12.5K`. */
export const compactText = (value: number): string => COMPACT.format(value);

/** Writes a share as `50.5%`. */
export const percentText = (share: number): string => PERCENT.format(share);

/** Divides decimals approximately, to be shown; undefined if there is nothing to divide by. */
export const ratio = (dividend: string, divisor: string): number | undefined =>
  Number(divisor) > 0 ? Number(dividend) / Number(divisor) : undefined;

/** Returns the turnover per cover, with two decimals. */
export const averageOf = ({ gto, pax }: { gto: string; pax: string }): string | undefined =>
  ratio(gto, pax)?.toFixed(2);

/** A period is compared with another only if at least this share of the hours of both was sent. */
export const COMPARABLE_SHARE = 0.9;

/** Says how much an amount is above another, as `+50.5%`; in grey unless all hours were sent. */
export function changeOf(now = '', before = '', sentShare: number) {
  const share = sentShare < COMPARABLE_SHARE ? undefined : ratio(now, before);
  if (share === undefined) return { shown: '–', value: undefined, class: 'soft' };
  const style = sentShare < 1 ? 'soft' : styleOf(share - 1);
  return { shown: CHANGE.format(share - 1), value: share, class: style };
}

function styleOf(change: number): string {
  const shownTenths = Math.round(change * 1000);
  if (shownTenths === 0) return 'soft';
  return shownTenths > 0 ? 'up' : 'down';
}

/** Adds decimals without losing a digit. */
export function addDecimals(decimals: readonly string[]): string {
  const scale = Math.max(0, ...decimals.map((decimal) => fractionOf(decimal).length));
  const scaled = decimals.map((decimal) =>
    BigInt((decimal.split('.')[0] ?? '') + fractionOf(decimal).padEnd(scale, '0')),
  );
  const digits = String(scaled.reduce((sum, each) => sum + each, 0n)).padStart(scale + 1, '0');
  if (scale === 0) return digits;
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '');
}

const fractionOf = (decimal: string): string => decimal.split('.')[1] ?? '';
