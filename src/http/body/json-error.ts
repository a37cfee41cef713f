import { codesOf, endOfScalar, endOfString, paddedCopy, skipSpace, type Source } from './json-tokens.js';

const [QUOTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = codesOf('",:[]{}');

/** No byte of UTF-8. */
const NOTHING_OPEN = 0xff;

/** Numbers: V8 compares them faster than strings. */
const [VALUE, NAME, AFTER_NAME, AFTER_VALUE] = [0, 1, 2, 3];

export interface JsonError {
  /** Offset in bytes. */
  readonly at: number;
  readonly expected: string;
}

/**
 * Finds the first error; the message of `JSON.parse` may quote a password and lacks the position.
 * See docs/performance.md#json-errors
 */
export function findJsonError(text: Uint8Array): JsonError | undefined {
  return new JsonScanner(text).findError();
}

class JsonScanner {
  private readonly source: Source;
  private at = 0;
  private state = VALUE;
  private mayClose = false;
  /** The bracket that closes the innermost list or object, and those around it. */
  private close = NOTHING_OPEN;
  private outer = new Uint8Array(64);
  private depth = 0;

  constructor(private readonly text: Uint8Array) {
    this.source = paddedCopy(text);
  }

  findError(): JsonError | undefined {
    for (;;) {
      this.at = skipSpace(this.source, this.at);
      const byte = this.source.bytes[this.at]!;
      const from = this.at;
      if (this.state === VALUE) this.readValue(byte);
      else if (this.state === NAME) this.readName(byte);
      else this.readSeparator(byte);
      if (this.at < 0) return { at: -this.at, expected: 'the end of the string' };
      if (this.at === from && !this.closes(byte)) return this.errorHere();
    }
  }

  private readValue(byte: number): void {
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      this.open(byte + 2);
      return;
    }
    const from = this.at;
    this.at = endOfScalar(this.source, from, this.close === CLOSE_LIST);
    if (this.at <= from) return;
    this.state = AFTER_VALUE;
    this.mayClose = true;
    this.readSeparator(this.source.bytes[this.at]!);
  }

  private readName(byte: number): void {
    if (byte !== QUOTE) return;
    this.at = endOfString(this.source, this.at);
    if (this.at < 0) return;
    this.state = AFTER_NAME;
    this.mayClose = false;
    this.readSeparator(this.source.bytes[this.at]!);
  }

  private readSeparator(byte: number): void {
    if (this.state === AFTER_NAME ? byte !== COLON : byte !== COMMA || this.close === NOTHING_OPEN) return;
    this.state = this.state === AFTER_VALUE && this.close === CLOSE_OBJECT ? NAME : VALUE;
    this.mayClose = false;
    this.at += 1;
  }

  private open(close: number): void {
    if (this.depth === this.outer.length) this.outer = enlarged(this.outer);
    this.outer[this.depth++] = this.close;
    this.close = close;
    this.state = close === CLOSE_LIST ? VALUE : NAME;
    this.mayClose = true;
    this.at += 1;
  }

  private closes(byte: number): boolean {
    if (byte !== this.close || !this.mayClose) return false;
    this.close = this.outer[--this.depth]!;
    this.state = AFTER_VALUE;
    this.at += 1;
    return true;
  }

  private errorHere(): JsonError | undefined {
    const { at, state, mayClose } = this;
    const bracket = String.fromCharCode(this.close);
    if (state === AFTER_NAME) return { at, expected: 'a colon' };
    if (state === AFTER_VALUE && this.close !== NOTHING_OPEN) return { at, expected: `a comma or ${bracket}` };
    if (state === AFTER_VALUE) return at === this.text.length ? undefined : { at, expected: 'the end of the text' };
    const expected = state === NAME ? 'a field name in double quotes' : 'a value';
    return { at, expected: mayClose ? `${expected} or ${bracket}` : expected };
  }
}

function enlarged(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 4);
  larger.set(bytes);
  return larger;
}
