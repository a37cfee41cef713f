import { parseCsv } from './parse-csv.js';
import { parseMallFile } from './parse-mall-file.js';
import type { ParsedFile, ParsedRecord } from './parsed-file.js';

/** Parses a file of sales; its first characters tell the formats apart. Runs in browsers too. */
export function parseSalesFile(text: string): ParsedFile {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('{') || start.startsWith('[')) return parseJson(start);
  return /^[^\n]*\|/.test(start) ? parseMallFile(text) : parseCsv(text);
}

function parseJson(text: string): ParsedFile {
  let message = 'must be a JSON object with an array "records" of objects';
  try {
    const { records } = JSON.parse(text) as { readonly records?: unknown };
    if (Array.isArray(records) && records.every(isObject))
      return { days: [{ records: records as ParsedRecord[], lines: [] }], problems: [] };
  } catch (error) {
    message = `is not JSON: ${(error as Error).message}`;
  }
  return { days: [], problems: [{ line: null, message }] };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
