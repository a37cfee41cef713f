export const codesOf = (characters: string): number[] => Array.from(characters, (character) => character.charCodeAt(0));

const [QUOTE, COMMA, PLUS, MINUS, POINT, ZERO, BACKSLASH] = codesOf('",+-.0\\');
const [SMALL_F, SMALL_U, SMALL_E, LARGE_E] = codesOf('fueE');
/** Big-endian; `false` without its first letter. */
const [TRUE, NULL, ALSE] = [0x74727565, 0x6e756c6c, 0x616c7365];

/** Kinds of bytes, one bit each. */
const [SPACE, DIGIT, HEX_DIGIT, ESCAPED, IN_STRING] = [1, 2, 4, 8, 16];
const KINDS = new Uint8Array(256).fill(IN_STRING, 0x20);
for (const code of codesOf('"\\')) KINDS[code] = 0;
for (const code of codesOf(' \t\n\r')) KINDS[code]! |= SPACE;
for (const code of codesOf('0123456789')) KINDS[code]! |= DIGIT;
for (const code of codesOf('0123456789abcdefABCDEF')) KINDS[code]! |= HEX_DIGIT;
for (const code of codesOf('"\\/bfnrt')) KINDS[code]! |= ESCAPED;

/** Skips two bytes at a time. */
const PAIR_KINDS = Uint8Array.from({ length: 65_536 }, (_, pair) => KINDS[pair & 255]! & KINDS[pair >> 8]!);

/** Padded with zeros. */
export interface Source {
  readonly bytes: Uint8Array;
  readonly pairs: Uint16Array;
}

export function paddedCopy(text: Uint8Array): Source {
  const buffer = new ArrayBuffer((text.length & ~1) + 8);
  const bytes = new Uint8Array(buffer);
  bytes.set(text);
  return { bytes, pairs: new Uint16Array(buffer) };
}

export function skipSpace(source: Source, from: number): number {
  if ((KINDS[source.bytes[from]!]! & SPACE) === 0) return from;
  return (KINDS[source.bytes[from + 1]!]! & SPACE) === 0 ? from + 1 : skip(source, from + 1, SPACE);
}

function skip({ bytes, pairs }: Source, from: number, kind: number): number {
  if ((KINDS[bytes[from]!]! & kind) === 0) return from;
  let pair = (from + 1) >> 1;
  while ((PAIR_KINDS[pairs[pair]!]! & kind) !== 0) pair += 1;
  const end = pair << 1;
  return (KINDS[bytes[end]!]! & kind) === 0 ? end : end + 1;
}

/** Returns `at` if there is no scalar, and the offset negated if a string breaks off. */
export function endOfScalar(source: Source, at: number, isInList: boolean): number {
  const byte = source.bytes[at]!;
  if (byte === QUOTE) return endOfString(source, at);
  return byte >= SMALL_F! ? endOfLiterals(source.bytes, at, isInList) : endOfNumber(source.bytes, at);
}

export function endOfString(source: Source, at: number): number {
  const { bytes } = source;
  for (let end = at + 1; ;) {
    end = skip(source, end, IN_STRING);
    const length = bytes[end] === BACKSLASH ? escapeLength(bytes, end + 1) : 0;
    if (length === 0) return bytes[end] === QUOTE ? end + 1 : -end;
    end += 1 + length;
  }
}

function escapeLength(bytes: Uint8Array, at: number): number {
  if ((KINDS[bytes[at]!]! & ESCAPED) !== 0) return 1;
  const digits = KINDS[bytes[at + 1]!]! & KINDS[bytes[at + 2]!]! & KINDS[bytes[at + 3]!]! & KINDS[bytes[at + 4]!]!;
  return bytes[at] === SMALL_U && (digits & HEX_DIGIT) !== 0 ? 5 : 0;
}

function endOfNumber(bytes: Uint8Array, at: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at;
  let end = bytes[first] === ZERO ? first + 1 : digits(bytes, first, at);
  if (end === at) return at;
  if (bytes[end] === POINT) end = digits(bytes, end + 1, end);
  if (bytes[end] !== SMALL_E && bytes[end] !== LARGE_E) return end;
  return digits(bytes, bytes[end + 1] === PLUS || bytes[end + 1] === MINUS ? end + 2 : end + 1, end);
}

function digits(bytes: Uint8Array, from: number, none: number): number {
  let end = from;
  while ((KINDS[bytes[end]!]! & DIGIT) !== 0) end += 1;
  return end === from ? none : end;
}

/** In a list, also skips the literals that follow. */
function endOfLiterals(bytes: Uint8Array, at: number, isInList: boolean): number {
  let end = endOfLiteral(bytes, at);
  while (isInList && bytes[end] === COMMA) {
    const next = endOfLiteral(bytes, end + 1);
    if (next === end + 1) return end;
    end = next;
  }
  return end;
}

function endOfLiteral(bytes: Uint8Array, at: number): number {
  const first = bytes[at] === SMALL_F ? at + 1 : at;
  const word = (bytes[first]! << 24) | (bytes[first + 1]! << 16) | (bytes[first + 2]! << 8) | bytes[first + 3]!;
  if (first > at) return word === ALSE ? at + 5 : at;
  return word === TRUE || word === NULL ? at + 4 : at;
}
