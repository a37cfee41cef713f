import { AMOUNTS, COUNTS, OPTIONAL } from '../support/records.js';

const MAX = 2_147_483_647;

type Json = Record<string, unknown>;

/** What the contract says of the body of an authenticated upload. */
export interface Verdict {
  readonly status: 200 | 400 | 403 | 413;
  /** What is to be kept: the figures as decimals by `restaurant date hour`. */
  readonly rows: ReadonlyMap<string, string>;
}

/** Judges by the specification alone, the plain way; shares nothing with the service. */
export function judge(body: Uint8Array, granted: number): Verdict {
  const refused = (status: 400 | 403 | 413): Verdict => ({ status, rows: new Map() });
  const upload = parse(body);
  if (!isObject(upload)) return refused(400);
  const { records } = upload;
  if (!Array.isArray(records) || records.length === 0) return refused(400);
  if (records.length > 24) return refused(413);
  if (!records.every(isRecord)) return refused(400);
  for (const field of ['restaurant_id', 'date']) {
    if (new Set(records.map((record) => record[field])).size > 1) return refused(400);
  }
  if (new Set(records.map(({ hour }) => hour)).size < records.length) return refused(400);
  if (records[0]!['restaurant_id'] !== granted) return refused(403);
  return {
    status: 200,
    rows: new Map(records.map((record) => [keyOf(record), figuresOf(record)])),
  };
}

function parse(body: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const parsed: unknown = JSON.parse(text);
    // Of a name that stands twice in an object, JSON.parse keeps one.
    const sent = text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/:/g)?.length ?? 0;
    return sent === namesIn(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).map(namesIn);
  return inner.reduce((sum, count) => sum + count, Array.isArray(value) ? 0 : inner.length);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRecord(value: unknown): value is Json {
  if (!isObject(value)) return false;
  const own = (field: string): unknown =>
    Object.hasOwn(value, field) ? value[field] : OPTIONAL[field];
  const number = (field: string): number => {
    const given = own(field);
    return typeof given === 'number' ? given : NaN;
  };
  const isInteger = (field: string, max: number, min = 0): boolean =>
    Math.floor(number(field)) === number(field) && number(field) >= min && number(field) <= max;
  return (
    isInteger('restaurant_id', MAX, 1) &&
    isInteger('hour', 23) &&
    COUNTS.every((field) => isInteger(field, MAX)) &&
    AMOUNTS.every((field) => number(field) >= 0 && number(field) < 100_000_000_000) &&
    AMOUNTS.every((field) => decimalsOf(number(field)) <= 20) &&
    isDate(own('date'))
  );
}

function decimalsOf(number: number): number {
  return decimal(number).split('.')[1]?.length ?? 0;
}

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value) || value < '0001')
    return false;
  const time = Date.parse(`${value}T12:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === value;
}

function keyOf({ restaurant_id, date, hour }: Json): string {
  return [restaurant_id, date, Number(hour) + 0].join(' ');
}

function figuresOf(record: Json): string {
  return [...COUNTS, ...AMOUNTS]
    .map((field) => decimal((record[field] ?? OPTIONAL[field]) as number))
    .join(' ');
}

/** The figures of a row as they are asked from the database for comparison with a verdict's. */
export const FIGURES_SQL = [...COUNTS, ...AMOUNTS]
  .map((field) => `${field}::text`)
  .join(` || ' ' || `);

/** A number's shortest digits, written out without an exponent. */
export function decimal(number: number): string {
  const [digits = '', exponent] = String(Math.abs(number)).split('e');
  if (exponent === undefined) return digits;
  const [whole = '', fraction = ''] = digits.split('.');
  const point = whole.length + Number(exponent);
  const all = whole + fraction;
  return point <= 0 ? `0.${'0'.repeat(-point)}${all}` : all.padEnd(point, '0');
}
