import { COUNTS, FIGURES, OPTIONAL } from './records.js';

const COUNT = 'must be an integer from 0 to 2147483647';

type Rule = (value: unknown) => string | undefined;
type Fields = Record<string, unknown>;

/** The specification's table row by row, written a second time in the plainest way, for tests to compare with. */
const RULES: readonly (readonly [field: string, rule: Rule])[] = [
  ['restaurant_id', (value) => (isInteger(value, 1, 2_147_483_647) ? undefined : COUNT.replace('0', '1'))],
  ['date', (value) => (isDay(value) ? undefined : 'must be a day that exists, in the form YYYY-MM-DD')],
  ['hour', (value) => (isInteger(value, 0, 23) ? undefined : 'must be an integer from 0 to 23')],
  ...FIGURES.map((field) => [field, COUNTS.includes(field) ? countFault : amountFault] as const),
];

/** Everything that is wrong with the body of an upload, in the order of the body. */
export function uploadFaults(body: object): string[] {
  const records: unknown = (body as Fields)['records'];
  if (records === undefined) return ['records is missing'];
  if (!Array.isArray(records)) return ['records must be an array'];
  if (records.length > 24) return [`records holds ${records.length} entries, at most 24 are allowed`];
  if (records.length === 0) return ['records is empty: a closed day is sent as records of zeros'];
  const list = records.findIndex(Array.isArray);
  if (list >= 0) return [`records[${list}] must be an object`];
  return records.flatMap((entry: unknown, index) => entryFaults(records, entry, index));
}

function entryFaults(records: readonly unknown[], entry: unknown, index: number): string[] {
  if (typeof entry !== 'object' || entry === null) return [`records[${index}] must be an object`];
  return RULES.flatMap(([field, rule]) => {
    const value = (entry as Fields)[field];
    const fault = value === undefined ? missingFault(field) : (rule(value) ?? listFault(records, index, field, rule));
    return fault === undefined ? [] : [`records[${index}].${field} ${fault}`];
  });
}

function listFault(records: readonly unknown[], index: number, field: string, rule: Rule): string | undefined {
  const values = records.map((entry) => (entry as Fields | null)?.[field]);
  const valid = (value: unknown) => value !== undefined && rule(value) === undefined;
  const first = values.findIndex(valid);
  const earlier = values.indexOf(values[index]);
  if (field === 'hour' && earlier < index) return `repeats records[${earlier}].hour (${String(values[index])})`;
  if ((field !== 'restaurant_id' && field !== 'date') || values[first] === values[index]) return undefined;
  const reason = 'one upload is one restaurant and one day';
  return `must be the same as in records[${first}] (${String(values[first])}): ${reason}`;
}

function isInteger(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** By way of JavaScript's own calendar, which the service itself leaves alone. */
function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value) || value.startsWith('0000'))
    return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function missingFault(field: string): string | undefined {
  return field in OPTIONAL ? undefined : 'is missing';
}

function countFault(value: unknown): string | undefined {
  return isInteger(value, 0, 2_147_483_647) ? undefined : COUNT;
}

function amountFault(value: unknown): string | undefined {
  if (typeof value !== 'number') return 'must be a number from 0 up to but not including 100000000000';
  if (value < 0) return 'must not be negative';
  return value < 1e11 ? undefined : 'must be less than 100000000000';
}
