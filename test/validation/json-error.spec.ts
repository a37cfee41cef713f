import fc from 'fast-check';
import { findJsonError as findInBytes } from '../../src/http/body/json-error.js';

const findJsonError = (text: string) => findInBytes(Buffer.from(text));

describe('where a text stops being JSON', () => {
  test.each([
    ['', 0, 'a value'],
    [' \n', 2, 'a value'],
    ['{"a": NaN}', 6, 'a value'],
    ['{"a": .5}', 6, 'a value'],
    ["{'a': 1}", 1, 'a field name in double quotes or }'],
    ['{"a": 1,}', 8, 'a field name in double quotes'],
    ['[1, ]', 4, 'a value'],
    ['[01]', 2, 'a comma or ]'],
    ['{"a" 1}', 5, 'a colon'],
    ['{"a": 1 "b": 2}', 8, 'a comma or }'],
    ['{"a": [1}', 8, 'a comma or ]'],
    ['{"a": "x', 8, 'the end of the string'],
    ['{"a": "x\ny"}', 8, 'the end of the string'],
    ['{"a": "\\q"}', 7, 'the end of the string'],
    ['{"a": 1', 7, 'a comma or }'],
    ['{} // done', 3, 'the end of the text'],
    ['{}{}', 2, 'the end of the text'],
    ['\u00a0{}', 0, 'a value'],
  ])('%j: at %i %s is expected', (text, at, expected) => {
    expect(findJsonError(text)).toEqual({ at, expected });
  });

  test('it finds a fault in what JSON.parse refuses, and none in what it takes', () => {
    const damaged = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '0', '-', '.', 'e', ' ', 't', '\u0000', '\u2028'),
      )
      .map(
        ([json, place, drop, put]) =>
          json.slice(0, place % (json.length + 1)) + put + json.slice((place % (json.length + 1)) + drop),
      );
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged), (text) => {
        expect(findJsonError(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 5000 },
    );
  });

  test('neither depth nor length are too much', () => {
    const million = 1_000_000;
    expect(findJsonError('['.repeat(million))).toEqual({ at: million, expected: 'a value or ]' });
    expect(findJsonError(`"${'x\\n'.repeat(3 * million)}"]`)).toEqual({
      at: 9 * million + 2,
      expected: 'the end of the text',
    });
    expect(findJsonError(`"${'x'.repeat(10 * million)}`)).toEqual({
      at: 10 * million + 1,
      expected: 'the end of the string',
    });
    expect(findJsonError(`[1${' '.repeat(10 * million)}`)).toEqual({ at: 10 * million + 2, expected: 'a comma or ]' });
    expect(findJsonError('1'.repeat(10 * million))).toBeUndefined();
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
