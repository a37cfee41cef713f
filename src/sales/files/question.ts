import type { Profile } from './profile.js';

/** What a person has to say before a file is read. */
export interface Question {
  /**
   * The option of the profile that answers it, such as `date.order`, or what is said at each import,
   * such as `given.date`.
   */
  readonly option: string;
  readonly text: string;
  /** What may be answered; empty where a person has to find it. */
  readonly answers: readonly Answer[];
  /** Whose turnover is asked: a restaurant as the file names it, and a date. */
  readonly of?: { readonly restaurant: string; readonly date: string };
}

export interface Answer {
  readonly label: string;
  readonly option: string;
  readonly value: unknown;
}

/** Makes a question about one option with its values, each with a label. */
export const ask = (
  option: string,
  text: string,
  values: readonly (readonly [value: unknown, label: string])[] = [],
): Question => ({
  option,
  text,
  answers: values.map(([value, label]) => ({ option, value, label })),
});

const LISTS = ['accept', 'ignore', 'skip_lines', 'skip_sheets'];

/** Returns the profile with an answer in it; lists grow by the answer. */
export function withAnswer(profile: Profile, { option, value }: Answer): Profile {
  const [name = '', part] = option.split('.');
  const all = profile as unknown as Readonly<Record<string, unknown>>;
  const before = all[name];
  if (part !== undefined) return { ...profile, [name]: { ...(before as object), [part]: value } };
  const list = (before ?? []) as readonly unknown[];
  return { ...profile, [name]: LISTS.includes(name) ? [...list, value] : value };
}

/** What is written in one of several ways, and how each way reads a cell. */
interface Ways<Way extends string, Cell> {
  /** The option of the profile that says which way it is. */
  readonly option: string;
  readonly ways: readonly Way[];
  readonly cells: Iterable<Cell>;
  readonly read: (cell: Cell, way: Way) => unknown;
  /** What a way makes of a cell. */
  readonly label: (way: Way, cell: Cell) => string;
}

/**
 * Returns the only way in which every cell can be read, or asks; ways that read all cells alike
 * count as one. What no way can read is left to who reads the cell itself.
 */
export function wayToRead<Way extends string, Cell>(
  where: string,
  { option, ways, cells, read, label }: Ways<Way, Cell>,
): Way | Question {
  let left = ways.map((way) => ({ way, values: [] as unknown[] }));
  let example: Cell | undefined;
  for (const cell of cells) {
    for (const { way, values } of left) values.push(read(cell, way));
    const able = left.filter(({ values }) => values.at(-1) !== undefined);
    if (able.length > 0) {
      left = able;
      example ??= cell;
    }
    if (left.length === 1) break;
  }
  const byValues = new Map(left.toReversed().map(({ way, values }) => [values.join('\n'), way]));
  const [way, ...others] = [...byValues.values()].reverse();
  if (others.length === 0 || example === undefined) return way!;
  const labels = [way!, ...others].map((each) => [each, label(each, example)] as const);
  const may = labels.map(([, text]) => text).join(' or ');
  return ask(option, `${where}: ${String(example)} may be ${may}: which one (${option})?`, labels);
}
