import CliTable from 'cli-table3';
import { OutputClosed } from './admin.errors.js';

const BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right ' +
  'left left-mid mid mid-mid right right-mid';
const NO_BORDERS = Object.fromEntries(BORDERS.split(' ').map((name) => [name, '']));
const PLAIN = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };

/** What a command prints: `text` for people, or `json` for programs. */
export interface CommandResult {
  readonly text: string | AsyncIterable<string | Uint8Array>;
  readonly json: unknown;
  /** The status that the program ends with; 0 by default. */
  readonly exitStatus?: number;
}

/** Returns rows in aligned columns. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly (string | number | Date)[])[],
): string {
  const table = new CliTable({
    head: [...head],
    chars: { ...NO_BORDERS, middle: '  ' },
    style: PLAIN,
  });
  table.push(...rows.map((cells) => cells.map(textOf)));
  return table.toString().replace(/ +$/gm, '');
}

function textOf(cell: string | number | Date): string {
  return cell instanceof Date
    ? cell.toISOString().replace(/\.\d+Z$/, 'Z')
    : escapeLine(String(cell));
}

/** Characters that could steer a terminal; some scripts and emoji need the two joiners. */
const CONTROLS = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes control characters other than line feeds. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, escapeUnits);
}

export function escapeLine(text: string): string {
  return escapeControls(text).replaceAll('\n', escapeUnits);
}

function escapeUnits(character: string): string {
  return character.replace(
    /[^]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export async function print(
  { text, json }: CommandResult,
  asJson: boolean,
  stdout: NodeJS.WritableStream,
): Promise<void> {
  if (asJson) await write(`${escapeControls(JSON.stringify(json))}\n`, stdout);
  else if (typeof text === 'string') await write(`${escapeControls(text)}\n`, stdout);
  else for await (const piece of text) await write(piece, stdout);
}

/** Resolves once the piece is written, so that a slow reader slows the command. */
function write(piece: string | Uint8Array, stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(piece, (error) => {
      if (!error) resolve();
      else reject('code' in error && error.code === 'EPIPE' ? new OutputClosed() : error);
    });
  });
}
