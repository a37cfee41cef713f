import { inspectJson } from '../../http/body/json-text.js';
import { plainDigits } from '../fields/decimals.js';
import {
  type Cell,
  FileRefused,
  MAX_CELLS,
  type Table,
  tooManyCells,
  WrittenNumber,
} from './table.js';

const WANTED = 'a JSON list of objects, or an object with one, as in {"records": [{...}]}';

/** Whether a file looks like JSON rather than like a table, with or without the mark of UTF-8. */
export const isJson = (bytes: Uint8Array): boolean =>
  /^(?:\xef\xbb\xbf)?\s*(\{|\[\s*[{[])/.test(String.fromCharCode(...bytes.subarray(0, 512)));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Makes a table of the only list of a JSON text: a row for each object, with the names as headings. */
export function readJson(text: string): Table {
  const value = parse(text);
  const [list, ...others] = isObject(value) ? Object.values(value).filter(Array.isArray) : [value];
  if (!Array.isArray(list) || others.length > 0 || list.length === 0 || !list.every(isObject))
    throw new FileRefused(`must be ${WANTED}`);
  const names = [...new Set(list.flatMap(Object.keys))];
  if (list.length * names.length > MAX_CELLS) throw tooManyCells();
  const rows = list.map((object, index) => ({
    line: index + 1,
    cells: names.map((name) => cellOf(Object.hasOwn(object, name) ? object[name] : null)),
  }));
  return { sheet: '', rows: [{ line: 0, cells: names }, ...rows] };
}

function parse(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const fault = (error as Error).message.replace(/, ".*$/s, '');
    throw new FileRefused(`is not JSON: ${fault}; it must be ${WANTED}`);
  }
  const { repeated } = inspectJson(text);
  if (repeated)
    throw new FileRefused(`has the name ${repeated.join('/')} twice: which one is right?`);
  return value;
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'number') return new WrittenNumber(plainDigits(value));
  if (typeof value === 'string') return value.trim();
  return value === null ? '' : JSON.stringify(value);
}
