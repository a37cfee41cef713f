import { isUtf8 } from 'node:buffer';
import { InvalidJson, NotUtf8 } from '../errors/http.errors.js';

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
  const text = bytes.toString('utf8', hasByteOrderMark ? 3 : 0);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidJson(describeJsonError(text, (error as Error).message, maxScannedLength));
  }
}

/** V8's message has most positions, and JSON.parse took the time to find them; see docs/performance.md#json-errors */
function describeJsonError(text: string, message: string, maxScannedLength: number): string {
  const [, problem, position] = POSITION.exec(message) ?? [];
  const quoted = position === undefined ? offsetOfQuoted(text, message) : Number(position);
  if (quoted === undefined && text.length > maxScannedLength) return '';
  const found = quoted ?? offsetOfUnexpectedCharacter(text);
  const known = EXPECTED.get(problem);
  const before = known ? text.slice(0, found) : withoutLiteral(text.slice(0, found));
  const last = before.slice(-MAX_SPACE_SKIPPED).trimEnd().at(-1);
  const expected = known ?? EXPECTED_AFTER.get(last) ?? 'a value';
  if (before.length === text.length) return `: it ends where ${expected} is expected`;
  return `: ${lineAndColumn(text, before.length)}: ${expected} is expected`;
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

function lineAndColumn(text: string, offset: number): string {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at += 1) {
    if (text.charCodeAt(at) !== 0x0a) continue;
    line += 1;
    lineStart = at + 1;
  }
  return `line ${line}, column ${offset - lineStart + 1}`;
}

/** Finds where a value or a colon is missing in a text that is JSON up to there; V8's message locates all else. */
function offsetOfUnexpectedCharacter(text: string): number {
  const open: string[] = [];
  let expected: 'value' | 'value or ]' | 'name' | 'colon' | 'end' = 'value';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') continue;
    if (expected === 'colon' && character !== ':') return at;
    const needsValue = expected === 'value' || (expected === 'value or ]' && character !== ']');
    if (needsValue && !startsValue(text, at)) return at;
    if (character === '"') {
      at = endOfString(text, at);
      if (text[at] !== '"') return at;
      expected = expected === 'name' ? 'colon' : 'end';
    } else if (character === '[' || character === '{') {
      open.push(character);
      expected = character === '[' ? 'value or ]' : 'name';
    } else if (character === ']' || character === '}') {
      open.pop();
      expected = 'end';
    } else if (character === ',') expected = open.at(-1) === '[' ? 'value' : 'name';
    else expected = character === ':' ? 'value' : 'end';
  }
  return text.length;
}

function startsValue(text: string, at: number): boolean {
  const character = text[at]!;
  if ('"[{-'.includes(character) || (character >= '0' && character <= '9')) return true;
  return text.startsWith('true', at) || text.startsWith('false', at) || text.startsWith('null', at);
}

/** Returns the offset of the closing quote, or of an escaped character that V8 does not locate. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    if (text[at] !== '\\') at += 1;
    else if (text[at + 1]! > '\u00ff') return at + 1;
    else at += 2;
  }
  return at;
}
