import { promisify } from 'node:util';
import stringWidth from 'string-width';

/** Characters that could steer a terminal; some scripts and emoji need the two joiners. */
const CONTROLS = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A subject of a command, such as `restaurant:7`, and what the audit log says of it. */
export interface Event {
  readonly subject: string;
  readonly details?: object;
}

/** What a command prints: `text` for people, or `json` for programs. */
export interface CommandResult {
  readonly text: string | AsyncIterable<string | Uint8Array>;
  readonly json: unknown;
  /** What a command changed. Each gets an event of its own, unless it is what the command names. */
  readonly changes?: readonly Event[];
  /** The status that the program ends with; 0 by default. */
  readonly exitStatus?: number;
  /** The last step of a change, such as writing a file, which a dry run leaves out. */
  readonly beforeCommit?: (() => Promise<void>) | undefined;
}

/** Returns rows in aligned columns. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly (string | number | Date)[])[],
): string {
  const lines = [head, ...rows].map((cells) => cells.map(textOf));
  const widths = head.map((_name, column) =>
    lines.reduce((widest, cells) => Math.max(widest, stringWidth(cells[column] ?? '')), 0),
  );
  const padded = lines.map((cells) =>
    cells.map((cell, column) => cell + ' '.repeat(widths[column]! - stringWidth(cell))).join('  '),
  );
  return padded.map((line) => line.trimEnd()).join('\n');
}

function textOf(cell: string | number | Date): string {
  return escapeLine(cell instanceof Date ? cell.toISOString().slice(0, -5) + 'Z' : String(cell));
}

/** Escapes control characters other than line feeds. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const digits = Buffer.from(character, 'utf16le').swap16().toString('hex');
    return digits.replace(/.{4}/g, '\\u$&');
  });
}

export function escapeLine(text: string): string {
  return escapeControls(text).replaceAll('\n', '\\u000a');
}

/** Prints no faster than the reader takes it; a reader such as `head` may stop early. */
export async function print(
  { text, json }: CommandResult,
  asJson: boolean,
  stdout: NodeJS.WritableStream,
): Promise<void> {
  const write = promisify((piece: string | Uint8Array, done: (error?: Error | null) => void) =>
    stdout.write(piece, done),
  );
  const whole = asJson ? JSON.stringify(json) : text;
  try {
    if (typeof whole === 'string') await write(`${escapeControls(whole)}\n`);
    else for await (const piece of whole) await write(piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
