import type { Profile } from './profile.js';
import { FileRefused, MAX_CELLS, type Table, type TaggedLine, tooManyCells } from './table.js';

/**
 * Makes a table of lines that are a tag and a value each: a row for each line of one tag. What
 * stands above the first row holds for all rows, until such a line comes again; but a tag that
 * follows every one of the rows is of these rows.
 */
export function readTaggedLines(
  text: string,
  { tag, row: first }: NonNullable<Profile['lines']>,
  used: ReadonlySet<string> = new Set(),
): Table {
  const lines = taggedLines(text, tag);
  const begin = lines.findIndex(({ name }) => name === first);
  const below = begin < 0 ? [] : lines.slice(begin);
  const names = [...new Set(lines.map(({ name }) => name))];
  const index = new Map(names.map((name, at) => [name, at]));
  const above = names.map(() => '');
  const isAbove = new Set<string>();
  for (const { name, value } of lines.slice(0, Math.max(0, begin))) {
    above[index.get(name)!] = value;
    isAbove.add(name);
  }
  const isOfRows = tagsOfRows(below, first);
  const rows: { line: number; cells: string[]; own: Set<string> }[] = [];
  for (const { line, name, value } of below) {
    if (name === first) {
      rows.push({ line, cells: [...above], own: new Set() });
      if (rows.length * names.length > MAX_CELLS) throw tooManyCells();
    } else if (isAbove.has(name) && !isOfRows.has(name)) {
      above[index.get(name)!] = value;
      continue;
    }
    const row = rows.at(-1)!;
    if (row.own.has(name) && used.has(name))
      throw new FileRefused(`line ${line} has the tag ${name} again`);
    row.own.add(name);
    row.cells[index.get(name)!] = value;
  }
  return { sheet: '', rows: [{ line: 0, cells: names }, ...rows], lines };
}

function taggedLines(text: string, tag: number | string): TaggedLine[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const length = typeof tag === 'number' ? tag : line.indexOf(tag);
    const name = line.slice(0, length).trim();
    const value = line.slice(length + (typeof tag === 'number' ? 0 : tag.length)).trim();
    if (length < 1 || name === '') throw new FileRefused(`line ${index + 1} has no tag`);
    return [{ line: index + 1, name, value }];
  });
}

/** Returns the tags that stand between every row and the next one, and below the last. */
function tagsOfRows(lines: readonly TaggedLine[], first: string): Set<string> {
  let common: Set<string> | undefined;
  let own = new Set<string>();
  for (const { name } of [...lines.slice(1), { name: first }]) {
    if (name !== first) {
      own.add(name);
      continue;
    }
    const names = own;
    common = common ? new Set([...common].filter((each) => names.has(each))) : names;
    own = new Set();
  }
  return common ?? new Set();
}
