import { escapeLine } from './escape-controls.js';

export interface CommandResult {
  readonly text: string | Table | AsyncIterable<string | Uint8Array>;
  readonly json: unknown;
  /** 0 by default */
  readonly exitStatus?: number;
}

/** Prints rows in aligned columns. */
export class Table {
  constructor(
    private readonly head: readonly string[],
    private readonly rows: readonly (readonly (string | number | Date)[])[],
  ) {}

  toString(): string {
    const lines = [this.head, ...this.rows].map((cells) => cells.map(textOf));
    const widths = this.head.map((_, column) => Math.max(...lines.map((cells) => widthOf(cells[column]!))));
    return lines
      .map((cells) => cells.map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell))))
      .map((cells) => cells.join('  ').trimEnd())
      .join('\n');
  }
}

function textOf(cell: string | number | Date): string {
  return cell instanceof Date ? cell.toISOString().replace(/\.\d+Z$/, 'Z') : escapeLine(String(cell));
}

const GRAPHEMES = new Intl.Segmenter();
const WIDE =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uFF01-\uFF60]/u;

/** A Chinese character takes two columns. */
function widthOf(text: string): number {
  return Array.from(GRAPHEMES.segment(text)).reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}
