/** The path of a value: names in objects and indexes in arrays. */
type Path = (string | number)[];

interface Findings {
  /** The position of the first character that is invalid; undefined if all are valid. */
  readonly fault?: number;
  /** The path of the first name that stands twice in its object. */
  readonly repeated: Readonly<Path> | undefined;
}

/** A string as far as it is valid, with its last quote as a group. */
const STRING = String.raw`"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*("?)`;
const SCALAR = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`;
const TOKEN = new RegExp(String.raw`[ \t\r\n]*([{}[\],:]|${STRING}|${SCALAR}|)`, 'y');

/** The first characters of values. */
const VALUE = '{["-0123456789tfn';

/** Reads a JSON text (RFC 8259) for what `JSON.parse` does not tell reliably, without recursion. */
export function inspectJson(text: string): Findings {
  const path: Path = [];
  /** The names so far of each object that is open; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let repeated: Path | undefined;
  /** The first characters that the next part may have; none behind the whole text. */
  let expected = VALUE;
  for (TOKEN.lastIndex = 0; ;) {
    const [, part = '', lastQuote] = TOKEN.exec(text)!;
    const first = part.charAt(0);
    const begin = TOKEN.lastIndex - part.length;
    if (begin === text.length && expected === '') return { repeated };
    if (first === '' || !expected.includes(first)) return { fault: begin, repeated };
    if (lastQuote === '') return { fault: TOKEN.lastIndex, repeated };
    const names = open.at(-1);
    if (first === '{' || first === '[') {
      open.push(first === '{' ? new Set() : undefined);
      path.push(0);
      expected = first === '{' ? '"}' : `${VALUE}]`;
    } else if (first === ':') {
      expected = VALUE;
    } else if (first === ',') {
      if (!names) (path[path.length - 1] as number)++;
      expected = names ? '"' : VALUE;
    } else if (names && first === '"' && expected !== VALUE) {
      const name = JSON.parse(part) as string;
      path[path.length - 1] = name;
      if (names.has(name)) repeated ??= [...path];
      names.add(name);
      expected = ':';
    } else {
      if (first === '}' || first === ']') [open, path].forEach((levels) => levels.pop());
      expected = afterValue(open);
    }
  }
}

function afterValue(open: readonly unknown[]): string {
  if (open.length === 0) return '';
  return open.at(-1) ? ',}' : ',]';
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
