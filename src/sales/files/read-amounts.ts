import { type Decimal, decimalOf, negated } from './decimals.js';
import { type Cell, textOf, WorkbookNumber } from './table.js';

/** The sign that a file writes before the decimals of an amount. */
export type DecimalSign = '.' | ',';

const MINUS = '[-\u2212\u2013]';
const CURRENCY = '(?:\\p{Sc}|[A-Z]{1,3}\\p{Sc}|[A-Z]{3}|RM|Rp\\.?|Rs\\.?|S?Fr\\.?|kr\\.?|K[sS]h\\.?|zł|Kč|Ft|lei|Tk\\.?|Dhs?\\.?|Bs\\.?|S/\\.?|Php|руб\\.?|บาท|[円元圆]|R|P)'; // prettier-ignore
const FRAME = new RegExp(`^(\\()?(${MINUS})?\\s*(${CURRENCY})?\\s*(${MINUS})?([\\d.,\\s'’]+?)\\s*(${CURRENCY})?(${MINUS})?(\\))?$`, 'u'); // prettier-ignore
/** What spreadsheets and tills write where there is no amount, as ` $ -   `. */
const DASH = new RegExp(`^${CURRENCY}?\\s*${MINUS}\\s*${CURRENCY}?$`, 'u');

/** The three letters of a currency: `CRE 5.00` or `5.00 NEG` would be something else. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const isCurrency = (text = ''): boolean => !/^[A-Z]{3}$/.test(text) || CURRENCIES.has(text);

/** The digits of an amount with its separators, and whether it is below zero. */
interface Written {
  readonly digits: string;
  readonly isNegative: boolean;
}

/** No amount is longer; what is would cost much to look at. */
const MAX_LENGTH = 60;
const PLAIN = /^\d+(?:[.,]\d+)?$/;

/** Takes off currency signs, and the three ways in which tills write a negative amount. */
function written(cell: string): Written | undefined {
  if (cell.length > MAX_LENGTH) return undefined;
  if (PLAIN.test(cell)) return { digits: cell, isNegative: false };
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
  };
}

/** Returns the sign of a file by the first cell that has one reading, or a question. */
export function decimalSignOf(cells: Iterable<Cell>): DecimalSign | { readonly question: string } {
  let unclear: string | undefined;
  for (const cell of cells) {
    if (cell instanceof WorkbookNumber || !/[.,]/.test(cell)) continue;
    const { digits } = written(cell) ?? { digits: '' };
    const signs = digits.replace(/[^.,]/g, '');
    if (signs === '') continue;
    const last = signs.at(-1) as DecimalSign;
    const decimals = digits.length - digits.lastIndexOf(last) - 1;
    if (signs.length > 1 && signs[0] === last) return otherSign(last);
    if (signs.length > 1 || decimals !== 3 || !/^[1-9]\d{0,2}[.,]/.test(digits)) return last;
    unclear ??= cell;
  }
  if (unclear === undefined) return '.';
  const [whole = '', fraction = ''] = unclear.replace(/[^\d.,]/g, '').split(/[.,]/);
  const read = [`${whole}${fraction}`, `${whole}.${fraction}`.replace(/\.?0+$/, '')].join(' or ');
  return {
    question: `${unclear} may be ${read}: say in the profile which sign this source writes before decimals`,
  };
}

export const otherSign = (sign: DecimalSign): DecimalSign => (sign === '.' ? ',' : '.');

const SIMPLE = { '.': /^\d{1,15}(?:\.\d{1,15})?$/, ',': /^\d{1,15}$/ };

/** Reads an amount; undefined if it is not one. */
export function readAmount(cell: Cell, sign: DecimalSign): Decimal | undefined {
  if (cell instanceof WorkbookNumber) return signedDecimal(cell.digits);
  if (SIMPLE[sign].test(cell)) return decimalOf(cell);
  const { digits, isNegative } = written(cell) ?? {};
  if (digits === undefined) return undefined;
  const other = otherSign(sign);
  const [whole = '', fraction, ...more] = digits.split(sign);
  if (more.length > 0 || fraction?.includes(other)) return undefined;
  const groups = whole.split(other);
  const isGrouped = groups.length > 1;
  if (isGrouped && !/^\d{1,3}(,\d{2,3})*,\d{3}$/.test(groups.join())) return undefined;
  const plain = `${groups.join('')}.${fraction ?? ''}`;
  if (!/^(\d+\.\d*|\.\d+)$/.test(plain)) return undefined;
  const decimal = decimalOf(plain);
  return isNegative && decimal !== undefined ? negated(decimal) : decimal;
}

function signedDecimal(digits: string): Decimal | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(digits)) return undefined;
  const decimal = decimalOf(digits.replace('-', ''));
  return digits.startsWith('-') && decimal !== undefined ? negated(decimal) : decimal;
}

export const isNumeric = (cell: Cell): boolean => written(textOf(cell)) !== undefined;

/** Whether a cell says that there is no amount: empty, or a dash as of accountants. */
export const isNoAmount = (cell: Cell): boolean => {
  const text = textOf(cell);
  return text === '' || (text.length < 10 && DASH.test(text));
};
