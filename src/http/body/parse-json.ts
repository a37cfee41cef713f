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
/** Its second group matches if the excerpt, from ten characters before it on, ends with the text. */
const CHARACTER = /^Unexpected token '(.)', (?:\.{3}"(.*)" is not valid JSON$)?/s;

/** Parses the bytes of a body; the error says where they stop being JSON, without quoting them. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new NotUtf8();
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf; // .NET clients send one
  const body = hasByteOrderMark ? bytes.subarray(3) : bytes;
  const text = body.toString();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidJson(describeError(text, body, (error as Error).message));
  }
}

/** V8's message has most positions, and JSON.parse took the time to find them; see docs/performance.md#json-errors */
function describeError(text: string, bytes: Buffer, message: string): string {
  const [, problem, position] = POSITION.exec(message) ?? [];
  const found = position === undefined ? offsetOfCharacter(text, bytes, message) : Number(position);
  const known = EXPECTED.get(problem);
  const before = known ? text.slice(0, found) : withoutLiteral(text.slice(0, found));
  const last = before.slice(-MAX_SPACE_SKIPPED).trimEnd().at(-1);
  const expected = known ?? EXPECTED_AFTER.get(last) ?? 'a value';
  if (before.length === text.length) return `: it ends where ${expected} is expected`;
  const end = text.length === bytes.length ? before.length : Buffer.byteLength(before);
  const line = before.includes('\n') ? countLineFeeds(bytes, end) + 1 : 1;
  return `: line ${line}, column ${before.length - before.lastIndexOf('\n')}: ${expected} is expected`;
}

function offsetOfCharacter(text: string, bytes: Buffer, message: string): number {
  if (message === 'Unexpected end of JSON input') return text.length;
  const [, character = '', excerpt] = CHARACTER.exec(message) ?? [];
  if (excerpt !== undefined) return text.length - excerpt.length + 10;
  const at = text.indexOf(character);
  return text.includes(character, at + 1) ? offsetOfUnexpectedCharacter(text, bytes) : at;
}

/** Drops the `tru` of `trux`. */
function withoutLiteral(before: string): string {
  const [letters] = /[a-z]*$/.exec(before.slice(-4))!;
  return before.slice(0, before.length - letters.length);
}

/** Reads four bytes at a time. */
function countLineFeeds(bytes: Buffer, end: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, end);
  let count = 0;
  let index = 0;
  for (; index + 4 <= end; index += 4) {
    const bits = view.getInt32(index) ^ 0x0a0a0a0a;
    const zeros = ~(((bits & 0x7f7f7f7f) + 0x7f7f7f7f) | bits | 0x7f7f7f7f);
    count += Math.imul(zeros >>> 7, 0x01010101) >>> 24;
  }
  for (; index < end; index += 1) if (bytes[index] === 0x0a) count += 1;
  return count;
}
