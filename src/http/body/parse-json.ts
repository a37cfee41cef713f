import { isUtf8 } from 'node:buffer';
import { InvalidJson, NotUtf8 } from '../errors/http.errors.js';
import { offsetOfUnexpectedCharacter } from './unexpected-character.js';

/** What V8's message says before the position, and what the error response says instead. */
const EXPECTED: ReadonlyMap<string | undefined, string> = new Map([
  ["Expected property name or '}' in JSON", 'a field name in double quotes or }'],
  ['Expected double-quoted property name in JSON', 'a field name in double quotes'],
  ["Expected ':' after property name in JSON", 'a colon'],
  ["Expected ',' or '}' after property value in JSON", 'a comma or }'],
  ["Expected ',' or ']' after array element in JSON", 'a comma or ]'],
  ['Unexpected non-whitespace character after JSON', 'the end of the text'],
  ['Unterminated string in JSON', 'the end of the string'],
  ['Bad control character in string literal in JSON', 'the end of the string'],
  ['Bad escaped character in JSON', 'the end of the string'],
  ['Bad Unicode escape in JSON', 'the end of the string'],
  ['No number after minus sign in JSON', 'a digit'],
  ['Unterminated fractional number in JSON', 'a digit'],
  ['Exponent part is missing a number in JSON', 'a digit'],
]);
/** By the character before it, where the message does not say what is expected. */
const EXPECTED_AFTER: ReadonlyMap<string | undefined, string> = new Map([
  ['"', 'a colon'],
  ['[', 'a value or ]'],
  ['\\', 'the end of the string'],
  ['0', 'a number without leading zeros'],
]);
const MAX_SPACE_SKIPPED = 1000;

const POSITION = /^(\D+) at position (\d+)/;
/** V8 quotes up to ten characters before the unexpected one, itself, and up to nine after it. */
const EXCERPT = /^Unexpected token '(.)', (\.{3})?"(.*)"(\.{3})? is not valid JSON$/s;
const EXCERPT_BEFORE = 10;
/** A shorter text is quoted whole. */
const MIN_EXCERPT_LENGTH = 21;

/**
 * Parses the bytes of a body; the error says where they stop being JSON, without quoting them.
 * A longer text than `maxScannedLength` is not scanned for the place, which can take longer than parsing it took.
 */
export function parseJson(bytes: Buffer, maxScannedLength = Infinity): unknown {
  if (!isUtf8(bytes)) throw new NotUtf8();
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf; // .NET clients send one
  const body = hasByteOrderMark ? bytes.subarray(3) : bytes;
  const text = body.toString();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidJson(describeJsonError(text, body, (error as Error).message, maxScannedLength));
  }
}

/** V8's message has most positions, and JSON.parse took the time to find them; see docs/performance.md#json-errors */
function describeJsonError(text: string, bytes: Buffer, message: string, maxScannedLength: number): string {
  const [, problem, position] = POSITION.exec(message) ?? [];
  const quoted = position === undefined ? offsetOfQuoted(text, message) : Number(position);
  if (quoted === undefined && text.length > maxScannedLength) return '';
  const found = quoted ?? offsetOfUnexpectedCharacter(text, bytes);
  const known = EXPECTED.get(problem);
  const before = known ? text.slice(0, found) : withoutLiteral(text.slice(0, found));
  const last = before.slice(-MAX_SPACE_SKIPPED).trimEnd().at(-1);
  const expected = known ?? EXPECTED_AFTER.get(last) ?? 'a value';
  if (before.length === text.length) return `: it ends where ${expected} is expected`;
  const isAscii = text.length === bytes.length;
  const end = isAscii ? before.length : Buffer.byteLength(before);
  const lineStart = bytes.subarray(0, end).lastIndexOf('\n') + 1; // faster than in a string
  const line = countLineFeeds(bytes, lineStart) + 1;
  const column = (isAscii ? end - lineStart : bytes.toString('utf8', lineStart, end).length) + 1;
  return `: line ${line}, column ${column}: ${expected} is expected`;
}

/** Undefined where the excerpt that the message quotes may stand at several places. */
function offsetOfQuoted(text: string, message: string): number | undefined {
  if (message === 'Unexpected end of JSON input') return text.length;
  const [, character = '', cutBefore, excerpt, cutAfter] = EXCERPT.exec(message) ?? [];
  if (character < ' ' && !'\t\n\r'.includes(character)) return text.indexOf(character); // stands nowhere in JSON
  if (excerpt === undefined || text.length < MIN_EXCERPT_LENGTH) return undefined;
  if (!cutBefore) return excerpt.length - EXCERPT_BEFORE;
  if (!cutAfter) return text.length - excerpt.length + EXCERPT_BEFORE;
  return offsetOfOnly(text, excerpt);
}

/** Of an excerpt with a character that occurs nowhere else; most have one, and a search for it takes next to no time. */
function offsetOfOnly(text: string, excerpt: string): number | undefined {
  for (const character of new Set(excerpt)) {
    const at = text.indexOf(character);
    if (!text.includes(character, at + 1)) return at - excerpt.indexOf(character) + EXCERPT_BEFORE;
  }
  return undefined;
}

/** Drops the `tru` of `trux`. */
function withoutLiteral(before: string): string {
  const [letters] = /[a-z]*$/.exec(before.slice(-4))!;
  return before.slice(0, before.length - letters.length);
}

/** Reads eight bytes at a time. */
function countLineFeeds(bytes: Buffer, end: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, end);
  let count = 0;
  let index = 0;
  while (index + 8 <= end) {
    const stop = Math.min(end - 7, index + 8 * 127);
    let counts = 0; // four of at most 254
    for (; index < stop; index += 8)
      counts += lineFeedsOf(view.getInt32(index, true)) + lineFeedsOf(view.getInt32(index + 4, true));
    for (; counts !== 0; counts >>>= 8) count += counts & 255;
  }
  for (; index < end; index += 1) if (bytes[index] === 0x0a) count += 1;
  return count;
}

/** 1 in each byte that is a line feed, 0 in the others. */
function lineFeedsOf(word: number): number {
  const bits = word ^ 0x0a0a0a0a;
  return ~(((bits & 0x7f7f7f7f) + 0x7f7f7f7f) | bits | 0x7f7f7f7f) >>> 7;
}
