const codesOf = (characters: string): number[] => Array.from(characters, (character) => character.charCodeAt(0));

const [QUOTE, COMMA, PLUS, MINUS, POINT, ZERO, COLON, OPEN_LIST, BACKSLASH] = codesOf('",+-.0:[\\');
const [SMALL_F, SMALL_U, OPEN_OBJECT, CLOSE_OBJECT, SMALL_E, LARGE_E] = codesOf('fu{}eE');
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

const NOTHING_OPEN = -1;
type State = 'value' | 'name' | 'after name' | 'after value';

export interface JsonError {
  /** Offset in bytes. */
  readonly at: number;
  readonly expected: string;
}

interface Source {
  readonly bytes: Uint8Array;
  readonly pairs: Uint16Array;
}

/**
 * Finds the first error; the message of `JSON.parse` may quote a password and lacks the position.
 * See docs/performance.md#json-errors
 */
export function findJsonError(text: Uint8Array): JsonError | undefined {
  const source = paddedCopy(text);
  const open: number[] = [];
  let close = NOTHING_OPEN;
  let state: State = 'value';
  let mayClose = false;
  for (let at = skip(source, 0, SPACE); ; at = skip(source, at + 1, SPACE)) {
    const byte = source.bytes[at]!;
    if (byte === COMMA && state === 'after value' && close !== NOTHING_OPEN) {
      state = close === CLOSE_OBJECT ? 'name' : 'value';
      mayClose = false;
    } else if (byte === COLON && state === 'after name') state = 'value';
    else if (byte === close && mayClose) {
      close = open.pop()!;
      state = 'after value';
    } else if (state === 'value' && (byte === OPEN_LIST || byte === OPEN_OBJECT)) {
      open.push(close);
      close = byte + 2;
      state = byte === OPEN_LIST ? 'value' : 'name';
      mayClose = true;
    } else {
      const end = state === 'value' || (state === 'name' && byte === QUOTE) ? endOfScalar(source, at) : at;
      if (end < 0) return { at: -end, expected: 'the end of the string' };
      if (end === at) return errorAt(at, text, state, close, mayClose);
      at = end - 1;
      mayClose = state === 'value';
      state = mayClose ? 'after value' : 'after name';
    }
  }
}

function errorAt(at: number, text: Uint8Array, state: State, close: number, mayClose: boolean): JsonError | undefined {
  const bracket = String.fromCharCode(close);
  if (state === 'after name') return { at, expected: 'a colon' };
  if (state === 'after value' && close !== NOTHING_OPEN) return { at, expected: `a comma or ${bracket}` };
  if (state === 'after value') return at === text.length ? undefined : { at, expected: 'the end of the text' };
  const expected = state === 'name' ? 'a field name in double quotes' : 'a value';
  return { at, expected: mayClose ? `${expected} or ${bracket}` : expected };
}

function paddedCopy(text: Uint8Array): Source {
  const buffer = new ArrayBuffer((text.length & ~1) + 8);
  const bytes = new Uint8Array(buffer);
  bytes.set(text);
  return { bytes, pairs: new Uint16Array(buffer) };
}

function skip({ bytes, pairs }: Source, from: number, kind: number): number {
  if ((KINDS[bytes[from]!]! & kind) === 0) return from;
  let pair = (from + 1) >> 1;
  while ((PAIR_KINDS[pairs[pair]!]! & kind) !== 0) pair += 1;
  const end = pair << 1;
  return (KINDS[bytes[end]!]! & kind) === 0 ? end : end + 1;
}

/** Returns `at` if there is no scalar, and the offset negated if a string breaks off. */
function endOfScalar(source: Source, at: number): number {
  const { bytes } = source;
  if (bytes[at] !== QUOTE) return bytes[at]! >= SMALL_F! ? endOfLiteral(bytes, at) : endOfNumber(source, at);
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

function endOfNumber(source: Source, at: number): number {
  const { bytes } = source;
  const first = bytes[at] === MINUS ? at + 1 : at;
  let end = bytes[first] === ZERO ? first + 1 : digits(source, first, at);
  if (end === at) return at;
  if (bytes[end] === POINT) end = digits(source, end + 1, end);
  if (bytes[end] !== SMALL_E && bytes[end] !== LARGE_E) return end;
  return digits(source, bytes[end + 1] === PLUS || bytes[end + 1] === MINUS ? end + 2 : end + 1, end);
}

function digits(source: Source, from: number, none: number): number {
  const end = skip(source, from, DIGIT);
  return end === from ? none : end;
}

function endOfLiteral(bytes: Uint8Array, at: number): number {
  const word = wordAt(bytes, at);
  if (word === TRUE || word === NULL) return at + 4;
  return bytes[at] === SMALL_F && wordAt(bytes, at + 1) === ALSE ? at + 5 : at;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}
