import { type Decimal, decimalOf } from './decimals.js';
import { type Cell, textOf, WorkbookNumber } from './table.js';

/** Which of both signs a file writes before the decimals of an amount. */
export type DecimalSign = '.' | ',';

/** A cell whose sign has one reading, or may have both: `250.000`. */
interface Evidence {
  readonly sign: DecimalSign;
  readonly cell: string;
}

const MINUS = '[-\u2212\u2013]';
const CURRENCY = '(?:\\p{Sc}|[A-Z]{1,3}\\p{Sc}|[A-Z]{3}|RM|Rp\\.?|kr\\.?|R)';
const FRAME = new RegExp(`^(\\()?(${MINUS})?\\s*${CURRENCY}?\\s*(${MINUS})?([\\d.,\\s'’]+?)\\s*${CURRENCY}?(${MINUS})?(\\))?$`, 'u'); // prettier-ignore

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
  const [, open, before, after, digits = '', behind, close] = FRAME.exec(cell) ?? [];
  if (!/\d/.test(digits) || (open === undefined) !== (close === undefined)) return undefined;
  const signs = [open, before, after, behind].filter((sign) => sign !== undefined).length;
  if (signs > 1) return undefined;
  return {
    digits: digits.trim().replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, ''),
    isNegative: signs === 1,
  };
}

/** Collects what the amounts of a file say about its decimal sign. */
export class DecimalSigns {
  private readonly found: { '.'?: Evidence; ','?: Evidence } = {};
  private unclear: string | undefined;

  add(cell: Cell): void {
    if (cell instanceof WorkbookNumber || !/[.,]/.test(cell)) return;
    const { digits } = written(cell) ?? { digits: '' };
    const signs = digits.replace(/\d/g, '');
    if (signs === '') return;
    const last = signs.at(-1) as DecimalSign;
    const decimals = digits.length - digits.lastIndexOf(last) - 1;
    const isRepeated = signs.length > 1 && signs[0] === last;
    if (isRepeated) this.note(last === '.' ? ',' : '.', cell);
    else if (signs.length > 1 || decimals !== 3 || !/^[1-9]\d{0,2}[.,]/.test(digits))
      this.note(last, cell);
    else this.unclear ??= cell;
  }

  private note(sign: DecimalSign, cell: string): void {
    this.found[sign] ??= { sign, cell };
  }

  /** Returns the sign of the file, or the question that has to be answered. */
  decide(): DecimalSign | { readonly question: string } {
    const { '.': point, ',': comma } = this.found;
    if (point && comma)
      return {
        question: `${point.cell} has a decimal point, and ${comma.cell} a decimal comma: export the file again with one of them`,
      };
    if (point ?? comma) return (point ?? comma)!.sign;
    if (this.unclear === undefined) return '.';
    const [whole = '', fraction = ''] = this.unclear.replace(/[^\d.,]/g, '').split(/[.,]/);
    const read = [`${whole}${fraction}`, `${whole}.${fraction}`.replace(/\.?0+$/, '')].join(' or ');
    return {
      question: `${this.unclear} may be ${read}: say in the profile which sign this source writes before decimals`,
    };
  }
}

/** Reads an amount; undefined if it is not one. */
export function readAmount(cell: Cell, sign: DecimalSign): Decimal | undefined {
  if (cell instanceof WorkbookNumber) return signedDecimal(cell.digits);
  if (sign === '.' ? /^\d{1,15}(?:\.\d{1,15})?$/.test(cell) : /^\d{1,15}$/.test(cell))
    return decimalOf(cell);
  const { digits, isNegative } = written(cell) ?? {};
  if (digits === undefined) return undefined;
  const other = sign === '.' ? ',' : '.';
  const [whole = '', fraction, ...more] = digits.split(sign);
  if (more.length > 0 || fraction?.includes(other)) return undefined;
  const groups = whole.split(other);
  const isGrouped = groups.length > 1;
  if (isGrouped && !/^\d{1,3}(,\d{2,3})*,\d{3}$/.test(groups.join())) return undefined;
  const plain = `${groups.join('')}.${fraction ?? ''}`;
  if (!/^(\d+\.\d*|\.\d+)$/.test(plain)) return undefined;
  const decimal = decimalOf(plain);
  return isNegative && decimal !== undefined ? -decimal : decimal;
}

function signedDecimal(digits: string): Decimal | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(digits)) return undefined;
  const decimal = decimalOf(digits.replace('-', ''));
  return digits.startsWith('-') && decimal !== undefined ? -decimal : decimal;
}

export const isNumeric = (cell: Cell): boolean => written(textOf(cell)) !== undefined;
