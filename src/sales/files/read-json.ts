import { inspectJson } from '../../http/body/json-text.js';
import { plainDigits } from './decimals.js';
import {
  type Cell,
  FileRefused,
  isObject,
  MAX_CELLS,
  type Table,
  tooManyCells,
  WrittenNumber,
} from './table.js';

const WANTED = 'a JSON list of objects, or an object with one, as in {"records": [{...}]}';

/** Whether a text looks like JSON rather than like a table. */
export const isJson = (text: string): boolean => /^\s*(\{|\[\s*[{[])/.test(text);

/** Makes a table of a JSON list: a row for each object, with the names as headings. */
export function readJson(text: string): Table {
  const objects = listIn(parse(text));
  const names = new Map<string, number>();
  for (const object of objects)
    for (const name of Object.keys(object)) if (!names.has(name)) names.set(name, names.size);
  if (objects.length * names.size > MAX_CELLS) throw tooManyCells();
  const headings = { line: 0, cells: [...names.keys()] };
  const rows = objects.map((object, index) => {
    const cells: Cell[] = headings.cells.map(() => '');
    for (const [name, value] of Object.entries(object)) cells[names.get(name)!] = cellOf(value);
    return { line: index + 1, cells };
  });
  return { sheet: '', rows: [headings, ...rows] };
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const { repeated } = inspectJson(text);
    if (!repeated) return value;
    throw new FileRefused(`has the name ${repeated.join('/')} twice: which one is right?`);
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw new FileRefused(
      `is not JSON: ${(error as Error).message.replace(/, ".*$/s, '')}; it must be ${WANTED}`,
    );
  }
}

/** Returns the only list of a JSON value. */
function listIn(value: unknown): Record<string, unknown>[] {
  const lists = isObject(value) ? Object.values(value).filter(Array.isArray) : [value];
  const [list] = lists;
  if (lists.length === 1 && Array.isArray(list) && list.length > 0 && list.every(isObject))
    return list;
  throw new FileRefused(`must be ${WANTED}`);
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'number') return new WrittenNumber(plainDigits(value));
  if (typeof value === 'string') return value.trim();
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
