// The repeated ones match a piece at a time: a very long match in one go would exhaust the stack.
const SPACE = /[\t\n\r ]{1,1000}/y;
const IN_STRING = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){1,1000}/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What may stand at a place, in the words in which it is told. */
type Expected =
  | 'a value'
  | 'a value or ]'
  | 'a field name in double quotes'
  | 'a field name in double quotes or }'
  | 'a colon'
  | 'a comma or }'
  | 'a comma or ]'
  | 'the end of the string'
  | 'the end of the text';

/**
 * Where a text stops being JSON and what is expected there; undefined where it is JSON. The parser's own message will
 * not do: it quotes the text, a password perhaps, and leaves out the place of the commonest mistakes.
 */
export function findJsonError(text: string): { readonly at: number; readonly expected: Expected } | undefined {
  const open: string[] = []; // the closing brackets to come
  let expected: Expected = 'a value';
  for (let at = endOfAll(SPACE, text, 0); ; at = endOfAll(SPACE, text, at)) {
    const kind = kindAt(text, at);
    const next: Expected | undefined = kind === undefined ? undefined : expectedAfter(expected, kind, open);
    if (next === undefined) {
      return at === text.length && expected === 'the end of the text' ? undefined : { at, expected };
    }
    at = kind === 'scalar' ? endOf(SCALAR, text, at) : at + 1;
    if (kind === '"') {
      at = endOfAll(IN_STRING, text, at);
      if (text[at] !== '"') return { at, expected: 'the end of the string' };
      at += 1;
    }
    expected = next;
  }
}

/** The token that begins there: a punctuation mark, `"` for a string, `scalar`; undefined where none does. */
function kindAt(text: string, at: number): string | undefined {
  const character = text[at];
  if (character !== undefined && '{}[],:"'.includes(character)) return character;
  return endOf(SCALAR, text, at) > at ? 'scalar' : undefined;
}

/** What is expected behind such a token; undefined where it may not stand. */
function expectedAfter(expected: Expected, kind: string, open: string[]): Expected | undefined {
  const isValue = expected.startsWith('a value');
  if (isValue && (kind === '{' || kind === '[')) {
    open.push(kind === '{' ? '}' : ']');
    return kind === '{' ? 'a field name in double quotes or }' : 'a value or ]';
  }
  if (expected.endsWith(` or ${kind}`)) open.pop();
  else if (expected.startsWith('a field name')) return kind === '"' ? 'a colon' : undefined;
  else if (expected === 'a colon') return kind === ':' ? 'a value' : undefined;
  else if (expected.startsWith('a comma') && kind === ',') {
    return open.at(-1) === '}' ? 'a field name in double quotes' : 'a value';
  } else if (!isValue || (kind !== '"' && kind !== 'scalar')) return undefined;
  return open.length === 0 ? 'the end of the text' : open.at(-1) === '}' ? 'a comma or }' : 'a comma or ]';
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function endOfAll(pattern: RegExp, text: string, from: number): number {
  let at = from;
  for (let end = endOf(pattern, text, at); end > at; end = endOf(pattern, text, at)) at = end;
  return at;
}
