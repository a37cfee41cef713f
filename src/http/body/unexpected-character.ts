const codesOf = (characters: string): number[] => Array.from(characters, (character) => character.charCodeAt(0));

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = codesOf('"\\,:[]{}');
const [SMALL_E, SMALL_F, SMALL_T] = codesOf('eft');
/** Big-endian. */
const [TRUE, NULL, FALS] = [0x74727565, 0x6e756c6c, 0x66616c73];

/** Kinds of bytes, one bit each. */
const [SPACE, INERT, VALUE_START, IN_STRING] = [1, 2, 4, 8];
const KINDS = new Uint8Array(256).fill(IN_STRING);
for (const code of codesOf('"\\')) KINDS[code] = 0;
for (const code of codesOf(' \t\n\r')) KINDS[code]! |= SPACE;
for (const code of codesOf('+-.0123456789eE')) KINDS[code]! |= INERT;
for (const code of codesOf('"-0123456789{[')) KINDS[code]! |= VALUE_START;

/** A regular expression starts slowly and is then faster. */
const MAX_SCANNED = 24;
const SPACES = /[ \t\n\r]*/y;
const PLAIN = /[^"\\]*/y;

/**
 * Finds where a value or a colon is missing in a text that is JSON up to there; V8's message locates all else.
 * See docs/performance.md#json-errors
 */
export function offsetOfUnexpectedCharacter(text: string, bytes: Uint8Array): number {
  const ascii = text.length === bytes.length ? text : undefined;
  const at = offsetInBytes(bytes, ascii);
  return ascii === undefined ? new TextDecoder().decode(bytes.subarray(0, at)).length : at;
}

function offsetInBytes(bytes: Uint8Array, ascii: string | undefined): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const open: number[] = [];
  let parent = 0;
  let separator = COMMA!;
  for (let at = 0; ; at += 1) {
    at = skipSpace(bytes, at, ascii);
    const byte = bytes[at]!;
    if (separator === COMMA && parent === OPEN_OBJECT) {
      at = skipSpace(bytes, endOfString(bytes, at + 1, ascii), ascii);
      if (bytes[at] !== COLON) return at;
    } else if (byte >= SMALL_F! && byte <= SMALL_T!) {
      const end = endOfLiterals(bytes, view, at);
      if (end === at) return at;
      at = end;
    } else if ((KINDS[byte]! & VALUE_START) === 0 && (byte !== CLOSE_LIST || separator !== OPEN_LIST)) return at;
    at = nextStop(bytes, at, ascii);
    separator = bytes[at]!;
    while (separator !== COMMA && separator !== COLON) {
      if (separator === OPEN_LIST || separator === OPEN_OBJECT) open.push(parent);
      else if (separator !== CLOSE_LIST && separator !== CLOSE_OBJECT) return at;
      parent = separator === CLOSE_LIST || separator === CLOSE_OBJECT ? open.pop()! : separator;
      if (separator === OPEN_LIST) break;
      at = nextStop(bytes, at + 1, ascii);
      separator = bytes[at]!;
    }
  }
}

/** Skips a literal and those that follow it with nothing but a comma between. */
function endOfLiterals(bytes: Uint8Array, view: DataView, from: number): number {
  let end = from;
  for (let at = from; at + 5 <= bytes.length; at = end + 1) {
    const word = view.getInt32(at);
    if (word === TRUE || word === NULL) end = at + 4;
    else if (word === FALS && bytes[at + 4] === SMALL_E) end = at + 5;
    else break;
    if (bytes[end] !== COMMA) break;
  }
  return end;
}

function nextStop(bytes: Uint8Array, from: number, ascii: string | undefined): number {
  let at = from;
  for (;;) {
    while ((KINDS[bytes[at]!]! & INERT) !== 0) at += 1;
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at + 1, ascii);
    else if (byte <= 0x20) at = skipSpace(bytes, at + 1, ascii);
    else return at;
  }
}

function skipSpace(bytes: Uint8Array, from: number, ascii: string | undefined): number {
  return bytes[from]! > 0x20 ? from : endOfRun(bytes, from, SPACE, SPACES, ascii);
}

function endOfString(bytes: Uint8Array, from: number, ascii: string | undefined): number {
  let at = from;
  for (;;) {
    at = endOfRun(bytes, at, IN_STRING, PLAIN, ascii);
    if (bytes[at] !== BACKSLASH || bytes[at + 1]! >= 0x80) return at + 1; // V8 does not locate "\é"
    at += 2;
  }
}

function endOfRun(bytes: Uint8Array, from: number, kind: number, pattern: RegExp, ascii: string | undefined): number {
  let at = from;
  const limit = ascii === undefined ? bytes.length : from + MAX_SCANNED;
  while ((KINDS[bytes[at]!]! & kind) !== 0) {
    at += 1;
    if (at === limit) return ascii === undefined ? at : endOfLongRun(ascii, at, pattern);
  }
  return at;
}

function endOfLongRun(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}
