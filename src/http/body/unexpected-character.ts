const codesOf = (characters: string): number[] => Array.from(characters, (character) => character.charCodeAt(0));

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = codesOf('"\\,:[]{}');
const LITERALS = ['true', 'false', 'null'].map(codesOf);

/** Of the bytes of numbers. */
const [FIRST, LATER] = [1, 2];
const IN_NUMBER = new Uint8Array(256);
for (const code of codesOf('+.eE')) IN_NUMBER[code] = LATER;
for (const code of codesOf('-0123456789')) IN_NUMBER[code] = FIRST;

/**
 * Finds where a value or a colon is missing in a text that is JSON up to there; V8's message locates all else.
 * See docs/performance.md#json-errors
 */
export function offsetOfUnexpectedCharacter(text: string, bytes: Uint8Array): number {
  const at = offsetInBytes(bytes);
  return text.length === bytes.length ? at : new TextDecoder().decode(bytes.subarray(0, at)).length;
}

function offsetInBytes(bytes: Uint8Array): number {
  const open: number[] = [];
  let parent = 0;
  let separator = COMMA;
  for (let at = skipSpace(bytes, 0); ; at = skipSpace(bytes, at + 1)) {
    const byte = bytes[at]!;
    if (parent === OPEN_OBJECT && separator !== COLON && byte === QUOTE) {
      at = skipSpace(bytes, endOfString(bytes, at + 1));
      if (bytes[at] !== COLON) return at;
      separator = COLON;
      continue;
    }
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      open.push(parent);
      parent = separator = byte;
      continue;
    }
    const isClosed = byte === (parent === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT);
    const end = isClosed && separator === parent ? at : endOfScalar(bytes, at); // a list or object may be empty
    if (end === undefined) return at;
    at = skipSpace(bytes, end);
    while (bytes[at] === CLOSE_LIST || bytes[at] === CLOSE_OBJECT) {
      parent = open.pop()!;
      at = skipSpace(bytes, at + 1);
    }
    if (bytes[at] !== COMMA) return at;
    separator = COMMA;
  }
}

/** No other control character stands in JSON. */
function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! <= 0x20) at += 1;
  return at;
}

/** Undefined where no string, number or literal begins. */
function endOfScalar(bytes: Uint8Array, from: number): number | undefined {
  if (bytes[from] === QUOTE) return endOfString(bytes, from + 1);
  if (IN_NUMBER[bytes[from]!] !== FIRST) {
    const literal = LITERALS.find((codes) => codes.every((code, index) => bytes[from + index] === code));
    return literal && from + literal.length;
  }
  let at = from + 1;
  while (IN_NUMBER[bytes[at]!]! > 0) at += 1;
  return at;
}

function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) return at + 1;
    if (bytes[at] !== BACKSLASH) continue;
    at += 1;
    if (bytes[at]! >= 0x80) return at; // V8 does not locate "\é"
  }
  return bytes.length;
}
