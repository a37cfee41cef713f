import type { Profile } from './profile.js';
import { FileRefused, type Row } from './table.js';

interface TaggedLine {
  readonly line: number;
  readonly name: string;
  readonly value: string;
}

/**
 * Makes a table of lines that are a tag and a value each: a row for each line of one tag. What
 * stands above the first row holds for all rows, until such a line comes again; but a tag that
 * follows every one of the rows is of these rows.
 */
export function readTaggedLines(
  text: string,
  { tag, row: first }: NonNullable<Profile['lines']>,
): Row[] {
  const lines = taggedLines(text, tag);
  const begin = lines.findIndex(({ name }) => name === first);
  const above = new Map<string, string>();
  for (const { name, value } of lines.slice(0, Math.max(0, begin))) above.set(name, value);
  const rows: { line: number; values: Map<string, string>; own: Set<string> }[] = [];
  const isOfRows = tagsOfRows(lines.slice(Math.max(0, begin)), first);
  for (const { line, name, value } of begin < 0 ? [] : lines.slice(begin)) {
    if (name === first) rows.push({ line, values: new Map(above), own: new Set() });
    else if (above.has(name) && !isOfRows.has(name)) {
      above.set(name, value);
      continue;
    }
    const row = rows.at(-1)!;
    if (row.own.has(name)) throw new FileRefused(`line ${line} has the tag ${name} again`);
    row.own.add(name);
    row.values.set(name, value);
  }
  const names = [...new Set(lines.map(({ name }) => name))];
  const cells = rows.map(({ line, values }) => ({
    line,
    cells: names.map((name) => values.get(name) ?? ''),
  }));
  return [{ line: 0, cells: names }, ...cells];
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
