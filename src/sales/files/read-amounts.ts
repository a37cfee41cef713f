import { type Decimal, decimalOf, digitsOf, negated } from '../fields/decimals.js';
import { type Findings, wayToRead } from './findings.js';
import type { DecimalSign } from './profile.js';
import { type Cell, textOf, WrittenNumber } from './table.js';

const MINUS = '[-\u2212\u2013]';
const CURRENCY = '(?:\\p{Sc}|[A-Z]{1,3}\\p{Sc}|[A-Z]{3}|RM|Rp\\.?|Rs\\.?|S?Fr\\.?|kr\\.?|K[sS]h\\.?|zł|Kč|Ft|lei|Tk\\.?|Dhs?\\.?|Bs\\.?|S/\\.?|Php|руб\\.?|บาท|[円元圆]|R|P)'; // prettier-ignore
const FRAME = new RegExp(`^(\\()?(${MINUS})?\\s*(${CURRENCY})?\\s*(${MINUS})?([\\d.,\\s'’]+?)\\s*(${CURRENCY})?(${MINUS})?(\\))?$`, 'u'); // prettier-ignore

/** The three letters of a currency: `CRE 5.00` or `5.00 NEG` would be something else. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
export const isCurrencyCode = (text: string): boolean => CURRENCIES.has(text);
const isCurrency = (text = ''): boolean => !/^[A-Z]{3}$/.test(text) || isCurrencyCode(text);

/** No amount is longer; what is would cost much to look at. */
const MAX_LENGTH = 60;
const PLAIN = /^\d+(?:[.,]\d+)?$/;

/** Takes off currency signs, and the three ways in which tills write a negative amount. */
function written(cell: string) {
  if (cell.length > MAX_LENGTH) return undefined;
  if (PLAIN.test(cell)) return { digits: cell, isNegative: false, currency: '' };
  const [, open, before, sign, after, digits = '', signBehind, behind, close] =
    FRAME.exec(cell) ?? [];
  if (!/\d/.test(digits) || (open === undefined) !== (close === undefined)) return undefined;
  if (!isCurrency(sign) || !isCurrency(signBehind)) return undefined;
  const signs = [open, before, after, behind].filter((each) => each !== undefined).length;
  // The dash of `25.-` stands for the cents.
  if (signs > 1 || (behind !== undefined && /[.,]$/.test(digits.trim()))) return undefined;
  return {
    digits: digits.trim().replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, ''),
    isNegative: signs === 1,
    currency: sign ?? signBehind ?? '',
  };
}

/** Returns the sign or code of a currency in a cell; empty if there is none. */
export const currencyOf = (cell: Cell): string =>
  typeof cell === 'string' && /[^\d.,-]/.test(cell) ? (written(cell)?.currency ?? '') : '';

/** Returns the sign before the decimals of all cells, or asks. */
export const decimalSignOf = (cells: Iterable<Cell>, findings: Findings): DecimalSign =>
  wayToRead(findings, 'amounts', {
    ...{ option: 'decimal', ways: ['.', ','], cells: separated(cells) },
    read: readAmount,
    label: (sign, cell) => digitsOf(readAmount(cell, sign)!),
  });

function* separated(cells: Iterable<Cell>): Generator<Cell> {
  for (const cell of cells) if (typeof cell === 'string' && /\d[.,]|[.,]\d/.test(cell)) yield cell;
}

export const otherSign = (sign: DecimalSign): DecimalSign => (sign === '.' ? ',' : '.');

const SIMPLE = { '.': /^\d{1,15}(?:\.\d{1,15})?$/, ',': /^\d{1,15}$/ };

/** Reads an amount; undefined if it is not one. */
export function readAmount(cell: Cell, sign: DecimalSign): Decimal | undefined {
  if (cell instanceof WrittenNumber) return readAmount(cell.digits, '.');
  if (SIMPLE[sign].test(cell)) return decimalOf(cell);
  const { digits, isNegative } = written(cell) ?? {};
  if (digits === undefined) return undefined;
  const other = otherSign(sign);
  const [whole = '', fraction = '', ...more] = digits.split(sign);
  if (more.length > 0 || fraction.includes(other)) return undefined;
  const groups = whole.split(other);
  const isGrouped = groups.length > 1;
  if (isGrouped && !/^[1-9]\d{0,2}(,\d{2,3})*,\d{3}$/.test(groups.join())) return undefined;
  const plain = `${groups.join('')}.${fraction}`;
  if (!/^(\d+\.\d*|\.\d+)$/.test(plain)) return undefined;
  const decimal = decimalOf(plain);
  return isNegative && decimal !== undefined ? negated(decimal) : decimal;
}

export const isNumeric = (cell: Cell): boolean => written(textOf(cell)) !== undefined;
