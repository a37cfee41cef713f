/** The path of a value: names in objects and indexes in arrays. */
type Path = readonly (string | number)[];

const codeOf = (character: string): number => character.charCodeAt(0);
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = ['{', '}', '[', ']'].map(codeOf);
const [COLON, COMMA, QUOTE] = [':', ',', '"'].map(codeOf);
const SPACE = codeOf(' ');
const SPACES = [' ', '\t', '\r', '\n'].map(codeOf);

/** Matches a string but for its last quote, and so goes as far as the string is valid. */
const STRING = /"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Reads a JSON text (RFC 8259) for what `JSON.parse` does not tell reliably, without recursion. */
export class JsonText {
  private at = 0;
  private readonly path: (string | number)[] = [];
  /** The names so far of each object that is open; undefined for an array. */
  private readonly names: (Set<string> | undefined)[] = [];
  private repeated: Path | undefined;

  private constructor(private readonly text: string) {}

  /** Returns the position of the first character that is invalid; undefined if all are valid. */
  static findFault(text: string): number | undefined {
    const reader = new JsonText(text);
    return reader.read() ? undefined : reader.at;
  }

  /** Returns the path of the first name that stands twice in its object. */
  static findRepeatedName(text: string): Path | undefined {
    const reader = new JsonText(text);
    reader.read();
    return reader.repeated;
  }

  private read(): boolean {
    for (;;) {
      if (this.names.at(-1) && !this.readName()) return false;
      if (this.take(OPEN_OBJECT) || this.take(OPEN_ARRAY)) {
        const isArray = this.text.charCodeAt(this.at - 1) === OPEN_ARRAY;
        this.path.push(isArray ? 0 : '');
        this.names.push(isArray ? undefined : new Set());
        if (!this.leave()) continue;
      } else if (!this.readString() && !this.match(SCALAR)) return false;
      while (this.path.length > 0 && !this.take(COMMA)) if (!this.leave()) return false;
      if (this.path.length === 0) return !this.take(undefined) && this.at === this.text.length;
      if (!this.names.at(-1)) (this.path[this.path.length - 1] as number)++;
    }
  }

  private readName(): boolean {
    const begin = this.skipSpaces();
    if (!this.readString()) return false;
    const name = JSON.parse(this.text.slice(begin, this.at)) as string;
    this.path[this.path.length - 1] = name;
    const names = this.names.at(-1)!;
    if (names.has(name)) this.repeated ??= [...this.path];
    names.add(name);
    return this.take(COLON);
  }

  /** Leaves an object or array if it ends here. */
  private leave(): boolean {
    if (!this.take(this.names.at(-1) ? CLOSE_OBJECT : CLOSE_ARRAY)) return false;
    this.path.pop();
    this.names.pop();
    return true;
  }

  private readString(): boolean {
    return this.match(STRING) && this.take(QUOTE, this.at);
  }

  private match(pattern: RegExp): boolean {
    pattern.lastIndex = this.skipSpaces();
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  private take(code: number | undefined, at = this.skipSpaces()): boolean {
    if (this.text.charCodeAt(at) !== code) return false;
    this.at++;
    return true;
  }

  private skipSpaces(): number {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (!(code <= SPACE) || !SPACES.includes(code)) return this.at;
      this.at++;
    }
  }
}

/**
 * Says whether a name may stand twice in an object: each has a colon, so that there are more colons
 * than names. There are also more if a string has one, or for what lies deeper than list entries.
 */
export function mayRepeatNames(text: string, parsed: unknown): boolean {
  let surplus = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) surplus++;
  const inner = Object.values(Object(parsed) as Record<string, unknown>).flat();
  for (const value of [parsed, ...inner])
    if (typeof value === 'object' && !Array.isArray(value))
      surplus -= Object.keys(value ?? {}).length;
  return surplus > 0;
}
