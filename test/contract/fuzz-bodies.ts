import { createHash } from 'node:crypto';
import { AMOUNTS, FIGURES, record } from '../support/records.js';

/** JSON as it may stand where a value is asked for: nearly right, or famous for going wrong. */
const NUMBERS = (
  '0 -0 1 7 7.0 1e1 0.7E+1 23 24 25 -1 3.5 101 102 101.0 1.01e2 999 0.1 0.30000000000000004 1e-7 ' +
  '5e-324 1e-400 -1e-400 -0.01 123456789.12345678 99999999999.9999 99999999999.99999 1e11 1E400 ' +
  '-1E400 2147483647 2147483648 4294967397 9007199254740993 1e21 12.3400 1.0000000000000000001 ' +
  '01 1. .5 +1 0x1 NaN Infinity 1_0 1,5 -'
).split(' ');
const OTHERS = (
  'null true false "" "7" "0.1" "x" [] {} [[]] [7] {"a":1} "101" [null] {"toString":1} undefined ' +
  `'x' \u00e9 "\ud83e\udd81" "\\ud800" "\\u0000" "\\x" [ { " , : ] }`
).split(' ');
const DATES = (
  '2024-02-29 2025-02-29 1900-02-29 2000-02-29 0001-01-01 0000-01-01 9999-12-31 10000-01-01 ' +
  '2025-1-5 2025-13-01 2025-10-15T00:00:00 2025-10-15Z 20251015 15-10-2025 today ２０２５-10-15 ' +
  '2025-10-15\\n 2025-10-15\\u0000 \\u0032025-10-15'
).split(' ');
const NAMES = ['restaurant_id', 'date', 'hour', ...FIGURES];
const PLAIN_ODD_NAMES = 'note __proto__ constructor toString Hour records é length 0'.split(' ');
const ODD_NAMES = [...PLAIN_ODD_NAMES, '', '\\u0068our', 'hour\\u0000', '\\ud800'];

/** Pseudo-random numbers that a seed repeats. */
export class Dice {
  private draws = 0;

  constructor(private readonly seed: number) {}

  /** A whole number from 0 to `count - 1`. */
  below(count: number): number {
    const digest = createHash('md5').update(`${this.seed} ${this.draws++}`).digest();
    return digest.readUInt32LE() % count;
  }

  one<Item>(items: ArrayLike<Item>): Item {
    return items[this.below(items.length)]!;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}

/** A record as names and values as they stand in JSON: names may repeat, values be nonsense. */
type Fields = [name: string, json: string][];

/** The body of an upload for that date, more or less broken. */
export function fuzzBody(dice: Dice, date: string): Buffer {
  const entries = recordsFor(dice, date);
  for (let changes = dice.one([0, 0, 1, 1, 2, 5]); changes > 0; changes--)
    changeEntries(dice, entries);
  const gap = dice.one(['', '', ' ', '\n\t', '\r\n  ']);
  const texts = entries.map((fields) =>
    typeof fields === 'string'
      ? fields
      : `{${fields.map(([name, json]) => `"${name}":${gap}${json}`).join(`,${gap}`)}}`,
  );
  const bytes = Buffer.from(`{${gap}"records":[${texts.join(`,${gap}`)}]${gap}}`);
  return dice.chance(25) ? damaged(dice, bytes) : bytes;
}

function recordsFor(dice: Dice, date: string): (Fields | string)[] {
  const count = dice.one([1, 1, 2, 3, 5, 24, 24, 25]);
  const first = dice.below(24);
  const restaurant_id = dice.chance(75) ? 101 : dice.one([102, 999, 2_147_483_647]);
  return Array.from({ length: count }, (_, index) => {
    const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, amount(dice)]));
    const fields = record({ restaurant_id, hour: (first + index * 5) % 24, date, ...amounts });
    return Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]);
  });
}

/** An amount of 14 digits at most, with any number of decimals. */
function amount(dice: Dice): number {
  const digits = dice.below(10 ** dice.below(10)) * 1e5 + dice.below(1e5);
  return digits / 10 ** (4 + dice.below(10));
}

function changeEntries(dice: Dice, entries: (Fields | string)[]): void {
  const at = dice.below(entries.length);
  const fields = entries[at];
  if (fields === undefined || dice.chance(15)) {
    const kind = dice.below(4);
    if (kind === 0) entries.splice(at, 1);
    else if (kind === 1) entries.push(fields ?? '{}');
    else if (kind === 2) entries.splice(at, 0, dice.one([...OTHERS, ...NUMBERS]));
    else entries.push(...Array<string>(dice.below(30)).fill(dice.one(OTHERS)));
  } else if (typeof fields !== 'string') changeField(dice, fields);
}

function changeField(dice: Dice, fields: Fields): void {
  const at = dice.below(fields.length);
  const field = fields[at];
  const kind = dice.below(8);
  if (!field || kind === 0) fields.push([dice.one(ODD_NAMES), dice.one([...OTHERS, ...NUMBERS])]);
  else if (kind === 1) fields.splice(at, 1);
  else if (kind === 2) field[0] = dice.one([...ODD_NAMES, ...NAMES, field[0].toUpperCase()]);
  else if (kind === 3) fields.splice(dice.below(fields.length), 0, [field[0], dice.one(NUMBERS)]);
  else if (field[0] === 'date' && dice.chance(80)) field[1] = `"${dice.one(DATES)}"`;
  else field[1] = dice.one(kind < 7 ? NUMBERS : OTHERS);
}

/** A few bytes changed, cut out, doubled, put in or cut off. */
function damaged(dice: Dice, bytes: Buffer): Buffer {
  const at = dice.below(bytes.length + 1);
  const until = at + 1 + dice.below(8);
  const byte = Buffer.of(
    dice.chance(60) ? dice.one(Buffer.from('{}[],:"\\0123456789.-+eE \n')) : dice.below(256),
  );
  const before = bytes.subarray(0, at);
  const piece = bytes.subarray(at, until);
  const after = bytes.subarray(until);
  return Buffer.concat(
    dice.one<Uint8Array[]>([
      [before, byte, bytes.subarray(at + 1)],
      [before, byte, piece, after],
      [before, after],
      [before, piece, piece, after],
      [before],
      [Buffer.from(bytes.toString(), 'utf16le')],
      [bytes, byte],
    ]),
  );
}
