import { FIELDS, linesOf, parseLines, REQUIRED_FIELDS, type ParsedFile } from './parsed-file.js';

/** Parses CSV (RFC 4180, no line break in a cell) whose header names the fields in any order. */
export function parseCsv(text: string): ParsedFile {
  const [header, ...lines] = linesOf(text);
  if (!header) return failed(null, 'the file is empty');
  const separator = [',', ';', '\t'].find((each) => header.text.includes(each)) ?? ',';
  const cellsOf = cellsBetween(separator);
  const names = cellsOf(header.text).map((name) => name.toLowerCase());
  const missing = REQUIRED_FIELDS.filter((name) => !names.includes(name));
  if (missing.length > 0) return failed(header.line, `columns are missing: ${missing.join(', ')}`);
  const repeated = names.filter((name, index) => FIELDS.has(name) && names.indexOf(name) < index);
  if (repeated.length > 0) return failed(header.line, `repeated: ${repeated.join(', ')}`);
  if (lines.length === 0) return failed(null, 'there is no line after the header');
  const expectation = `cells, but the header has ${names.length}`;
  return parseLines(lines, { names, cellsOf, expectation });
}

function failed(line: number | null, message: string): ParsedFile {
  return { days: [], problems: [{ line, message }] };
}

/** Returns a function that splits a line at a separator. */
function cellsBetween(separator: string): (line: string) => string[] {
  const quotedCell = `"((?:[^"]|"")*)" *(?=${separator}|$)`; // `"1"2` is not a number
  const cell = new RegExp(`${separator} *(?:${quotedCell}|([^${separator}]*))`, 'g');
  return (line) =>
    [...(separator + line).matchAll(cell)].map(([, quoted, plain]) =>
      (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
    );
}
