import fc from 'fast-check';
import { parseJson } from '../../src/http/body/parse-json.js';

describe('where a text stops being JSON', () => {
  test.each([
    ['', 0, 'a value'],
    [' \n', 2, 'a value'],
    ['[\n', 2, 'a value or ]'],
    ['{"a": NaN}', 6, 'a value'],
    ['{"a": .5}', 6, 'a value'],
    ['[1, truth]', 4, 'a value'],
    ['[nul,nul]', 1, 'a value or ]'],
    ['[true, fals', 7, 'a value'],
    ['[1, tru""]', 4, 'a value'],
    ['[1, n1]', 4, 'a value'],
    ['"\\\\ \\\u00e9 \u00e9"', 5, 'the end of the string'],
    ['["\\\u{1f600}", "x"]', 3, 'the end of the string'],
    ["{'a': 1}", 1, 'a field name in double quotes or }'],
    ['{"a": 1,}', 8, 'a field name in double quotes'],
    ['[1, ]', 4, 'a value'],
    ['[01]', 2, 'a number without leading zeros'],
    ['[-]', 2, 'a digit'],
    ['[1.]', 3, 'a digit'],
    ['[1e+]', 4, 'a digit'],
    ['{"a" 1}', 5, 'a colon'],
    ['{"a": 1, "b" 2}', 13, 'a colon'],
    ['{"a": 1, "b" "c"}', 13, 'a colon'],
    ['{"a": 1, "b"', 12, 'a colon'],
    ['{"a": {}, "b", "c": 1, "d": [1, 1]}', 13, 'a colon'],
    ['{"a": 1 "b": 2}', 8, 'a comma or }'],
    ['{"a": [1}', 8, 'a comma or ]'],
    ['{"a": "x', 8, 'the end of the string'],
    ['{"a": "x\\', 9, 'the end of the string'],
    ['{"a": "x\ny"}', 8, 'the end of the string'],
    ['{"a": "\\q"}', 8, 'the end of the string'],
    ['{"a": "\\u12"}', 11, 'the end of the string'],
    ['{"a": 1', 7, 'a comma or }'],
    ['{} // done', 3, 'the end of the text'],
    ['{}{}', 2, 'the end of the text'],
    ['\u00a0{}', 0, 'a value'],
    ['["\u00e9\u{1f600}", "at position 3", ,"at position 3" is not valid JSON"]', 25, 'a value'],
    [`["${'x'.repeat(40)}", ["\\"x"], x, "${'x'.repeat(40)}"]`, 54, 'a value'],
    [`[1,${' '.repeat(60)}1,${' \n'.repeat(60)},1,${' '.repeat(60)}]`, 185, 'a value'],
  ])('%j: at %i %s is expected', (text, at, expected) => {
    expect(errorOf(text)).toBe(`${positionOf(text, at)}${expected} is expected`);
  });

  test('is where a slow reader stops, and nowhere in JSON', () => {
    const characters = Array.from('{}[],:"\\0-.e tx\n\u0000\u00e9\u2028');
    const damage = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...characters));
    const damaged = fc.tuple(fc.json(), fc.array(damage, { maxLength: 3 }), fc.constantFrom(0, 2, 40));
    fc.assert(
      fc.property(damaged, ([json, changes, indent]) => {
        const text = changes.reduce(
          (before, [offset, dropped, added]) =>
            before.slice(0, offset % (before.length + 1)) +
            added +
            before.slice((offset % (before.length + 1)) + dropped),
          JSON.stringify([JSON.parse(json), JSON.parse(json)], null, indent),
        );
        const at = slowlyFound(text);
        const expected = at === undefined ? '' : positionOf(text, at);
        expect(errorOf(text).slice(0, expected.length || undefined)).toBe(expected);
      }),
      { numRuns: 5000 },
    );
  });

  test('neither depth nor length are too much', () => {
    const million = 1_000_000;
    expect(errorOf('['.repeat(million))).toBe(': it ends where a value or ] is expected');
    expect(errorOf(`"${'x'.repeat(10 * million)}`)).toBe(': it ends where the end of the string is expected');
    expect(errorOf(`"${'x\\n'.repeat(3 * million)}"]`)).toContain(`column ${9 * million + 3}: the end of the text`);
    const [spaces, letters] = [' '.repeat(10 * million), 'x'.repeat(10 * million)];
    expect(errorOf(`[1,${spaces}"${letters}",,1,1,1,1,1,1]`)).toContain(`column ${20 * million + 7}: a value`);
    expect(errorOf('1'.repeat(10 * million))).toBe('');
  });
});

function errorOf(text: string): string {
  try {
    parseJson(Buffer.from(text));
    return '';
  } catch (error) {
    return (error as Error).message.replace('the body is not valid JSON', '');
  }
}

function positionOf(text: string, at: number): string {
  if (at === text.length) return ': it ends where ';
  const lines = text.slice(0, at).split('\n');
  return `: line ${lines.length}, column ${lines.at(-1)!.length + 1}: `;
}

/** Reads a text as RFC 8259 writes its grammar; returns the offset at which that fails. */
function slowlyFound(text: string): number | undefined {
  let at = 0;
  const failed = new Error('no JSON');
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    at += found?.[0].length ?? 0;
    return found !== null;
  };
  const need = (pattern: RegExp): void => {
    if (!skip(pattern)) throw failed;
  };
  const readString = (): void => {
    need(/"/y);
    while (skip(/[^"\\\u0000-\u001f]/y) || skip(/\\/y))
      if (text[at - 1] === '\\') {
        if (skip(/u/y)) for (let digit = 0; digit < 4; digit += 1) need(/[\da-f]/iy);
        else need(/["\\/bfnrt]/y);
      }
    need(/"/y);
  };
  const readNumber = (): void => {
    if (skip(/0/y)) {
      if (/\d/.test(text[at] ?? '')) throw failed;
    } else need(/\d+/y);
    if (skip(/\./y)) need(/\d+/y);
    if (skip(/e[+-]?/iy)) need(/\d+/y);
  };
  const readList = (end: RegExp, readEntry: () => void): void => {
    skip(/[ \t\n\r]*/y);
    if (skip(end)) return;
    do readEntry();
    while (skip(/,/y));
    need(end);
  };
  const space = (): boolean => skip(/[ \t\n\r]*/y);
  const readValue = (): void => {
    space();
    if (skip(/\[/y)) readList(/\]/y, readValue);
    else if (skip(/\{/y)) readList(/\}/y, readField);
    else if (text[at] === '"') readString();
    else if (skip(/-/y) || /\d/.test(text[at] ?? '')) readNumber();
    else need(/true|false|null/y);
    space();
  };
  const readField = (): void => {
    space();
    readString();
    space();
    need(/:/y);
    readValue();
  };
  try {
    readValue();
    if (at < text.length) throw failed;
    return undefined;
  } catch (error) {
    if (error !== failed) throw error;
    return at;
  }
}
