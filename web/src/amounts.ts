const formatOf = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  new Intl.NumberFormat(undefined, { numberingSystem: 'latn', ...options });
const TENTHS = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const PERCENT = formatOf(TENTHS);
const CHANGE = formatOf({ ...TENTHS, signDisplay: 'exceptZero' });
const COMPACT = formatOf({ notation: 'compact' });
const PLAIN = formatOf({});
const POINT = PLAIN.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** `1,250.50`: digit for digit, grouped, with at least two decimals, in the language of the browser. */
export function amountText(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  return `${PLAIN.format(BigInt(whole))}${POINT}${fraction.padEnd(2, '0')}`;
}

/** How many decimals an amount is shown with. */
export const decimalsOf = (decimal: string): number => Math.max(2, fractionOf(decimal).length);

/** `1,250` */
export const numberText = (count: number | string): string => PLAIN.format(Number(count));

/** `1 restaurant`, `1,250 restaurants` */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;

/** `12.5K` */
export const compactText = (value: number): string => COMPACT.format(value);

/** `50.5%` */
export const percentText = (share: number): string => PERCENT.format(share);

/** Divides decimals for people; undefined where there is nothing to divide by. */
export const ratio = (dividend: string, divisor: string): number | undefined =>
  Number(divisor) > 0 ? Number(dividend) / Number(divisor) : undefined;

/** The turnover per cover, in two decimals. */
export const averageOf = ({ gto, pax }: { gto: string; pax: string }): string | undefined =>
  ratio(gto, pax)?.toFixed(2);

/** `+50.5%`: how much an amount is above another; grey if the two are not alike. */
export function changeOf(now = '', before = '', isFair: boolean) {
  const share = ratio(now, before);
  if (share === undefined) return { shown: '', value: undefined };
  const style = ['down', 'soft', 'up'][Math.sign(Math.round((share - 1) * 1000)) + 1];
  return { shown: CHANGE.format(share - 1), value: share, class: isFair ? style : 'soft' };
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
