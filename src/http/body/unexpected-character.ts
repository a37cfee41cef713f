const codesOf = (characters: string): number[] => Array.from(characters, (character) => character.charCodeAt(0));

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = codesOf('"\\,:[]{}');
const [SMALL_E, SMALL_F, SMALL_T] = codesOf('eft');
/** Big-endian. */
const [TRUE, NULL, FALS] = [0x74727565, 0x6e756c6c, 0x66616c73];

/** Kinds of bytes, one bit each. */
const [INERT, VALUE_START, IN_STRING] = [1, 2, 4];
const KINDS = new Uint8Array(256).fill(IN_STRING);
for (const code of codesOf('"\\')) KINDS[code] = 0;
for (const code of codesOf('+-.0123456789eE')) KINDS[code]! |= INERT;
for (const code of codesOf('-0123456789{[')) KINDS[code]! |= VALUE_START;

/** A regular expression starts slowly and is then faster. */
const MAX_SCANNED = 24;
/** So many are read faster without a view of words. */
const MAX_SPACES_SCANNED = 32;
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
    at = skipSpace(bytes, at);
    const byte = bytes[at]!;
    if (separator === COMMA && parent === OPEN_OBJECT) {
      at = skipSpace(bytes, endOfString(bytes, at + 1, ascii));
      if (bytes[at] !== COLON) return at;
    } else if (byte >= SMALL_F! && byte <= SMALL_T!) {
      const end = endOfLiterals(bytes, view, at);
      if (end === at) return at;
      at = end;
    } else if (byte === QUOTE) at = endOfString(bytes, at + 1, ascii);
    else if ((KINDS[byte]! & VALUE_START) === 0 && (byte !== CLOSE_LIST || separator !== OPEN_LIST)) return at;
    if (bytes[at] !== COMMA) at = nextStop(bytes, at, ascii);
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

/** Skips a literal and those that follow it with a comma and little space between. */
function endOfLiterals(bytes: Uint8Array, view: DataView, from: number): number {
  let end = from;
  for (let at = from; at + 5 <= bytes.length;) {
    const word = view.getInt32(at);
    if (word === TRUE || word === NULL) end = at + 4;
    else if (word === FALS && bytes[at + 4] === SMALL_E) end = at + 5;
    else break;
    if (bytes[end] !== COMMA) break;
    at = end + 1;
    while (bytes[at]! <= 0x20 && at - end < MAX_SCANNED) at += 1;
  }
  return end;
}

function nextStop(bytes: Uint8Array, from: number, ascii: string | undefined): number {
  let at = from;
  for (;;) {
    while ((KINDS[bytes[at]!]! & INERT) !== 0) at += 1;
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at + 1, ascii);
    else if (byte <= 0x20) at = skipSpace(bytes, at + 1);
    else return at;
  }
}

/** No other control character stands in JSON. */
function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! <= 0x20) {
    at += 1;
    if (at === from + MAX_SPACES_SCANNED) at = skipWordsOfSpace(bytes, at);
  }
  return at;
}

function skipWordsOfSpace(bytes: Uint8Array, from: number): number {
  const offset = bytes.byteOffset + from;
  const first = from + (-offset & 3); // a word begins at a multiple of four
  for (let at = from; at < first; at += 1) if (!(bytes[at]! <= 0x20)) return at;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + first, Math.max(0, bytes.length - first) >> 2);
  let index = 0;
  while (index < words.length && ((words[index]! | (words[index]! + 0x5f5f5f5f)) & 0x80808080) === 0) index += 1;
  return first + 4 * index;
}

function endOfString(bytes: Uint8Array, from: number, ascii: string | undefined): number {
  let at = from;
  for (;;) {
    at = endOfPlain(bytes, at, ascii);
    if (bytes[at] !== BACKSLASH || bytes[at + 1]! >= 0x80) return at + 1; // V8 does not locate "\é"
    at += 2;
  }
}

function endOfPlain(bytes: Uint8Array, from: number, ascii: string | undefined): number {
  let at = from;
  const limit = ascii === undefined ? bytes.length : from + MAX_SCANNED;
  while ((KINDS[bytes[at]!]! & IN_STRING) !== 0) {
    at += 1;
    if (at === limit) return ascii === undefined ? at : endOfLongPlain(ascii, at);
  }
  return at;
}

function endOfLongPlain(text: string, at: number): number {
  PLAIN.lastIndex = at;
  PLAIN.test(text);
  return PLAIN.lastIndex;
}
