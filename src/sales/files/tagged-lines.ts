import type { Profile } from './profile.js';
import { FileRefused, MAX_CELLS, type Table, type TaggedLine, tooManyCells } from './table.js';

/**
 * Makes a table of lines that are a tag and a value each: a row for each line of one tag. What
 * stands above the first row holds for all rows, until such a line comes again.
 */
export function readTaggedLines(
  text: string,
  { tag, row: first }: NonNullable<Profile['lines']>,
  used: ReadonlySet<string> = new Set(),
): Table {
  const lines = taggedLines(text, tag);
  const names = [...new Set(lines.map(({ name }) => name))];
  const index = new Map(names.map((name, at) => [name, at]));
  const begin = lines.findIndex(({ name }) => name === first);
  const isAbove = new Set(lines.slice(0, begin < 0 ? undefined : begin).map(({ name }) => name));
  const above = names.map(() => '');
  const rows: { line: number; cells: string[] }[] = [];
  let own = new Set<string>();
  let unused: TaggedLine | undefined;
  for (const each of lines) {
    const { line, name, value } = each;
    if (name === first) {
      rows.push({ line, cells: [...above] });
      if (rows.length * names.length > MAX_CELLS) throw tooManyCells();
      own = new Set();
      unused = undefined;
    } else if (isAbove.has(name) && used.has(name)) unused = each;
    if (own.has(name) && used.has(name))
      throw new FileRefused(`line ${line} has the tag ${name} again`);
    const cells = isAbove.has(name) ? above : rows.at(-1)!.cells;
    cells[index.get(name)!] = value;
    if (!isAbove.has(name)) own.add(name);
  }
  if (unused && rows.length > 0)
    throw new FileRefused(`line ${unused.line} has the tag ${unused.name} below the last row`);
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
