import type { Profile } from './profile.js';
import { FileRefused, type Row } from './table.js';

/** Makes a table of lines that are a tag and a value each: a row for each line of one tag. */
export function readTaggedLines(
  text: string,
  { tag, row: first }: NonNullable<Profile['lines']>,
): Row[] {
  const headings = new Set<string>();
  const rows: { line: number; values: Map<string, string> }[] = [];
  const above = new Map<string, string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const length = typeof tag === 'number' ? tag : line.indexOf(tag);
    const name = line.slice(0, length).trim();
    const value = line.slice(length + (typeof tag === 'number' ? 0 : tag.length)).trim();
    if (length < 1 || name === '') throw new FileRefused(`line ${index + 1} has no tag`);
    headings.add(name);
    if (name === first) rows.push({ line: index + 1, values: new Map(above) });
    const values = rows.at(-1)?.values ?? above;
    if (rows.length > 0 && name !== first && values.has(name) && !above.has(name))
      throw new FileRefused(`line ${index + 1} has the tag ${name} again`);
    values.set(name, value);
  }
  const names = [...headings];
  const cells = rows.map(({ line, values }) => ({
    line,
    cells: names.map((name) => values.get(name) ?? ''),
  }));
  return [{ line: 0, cells: names }, ...cells];
}
