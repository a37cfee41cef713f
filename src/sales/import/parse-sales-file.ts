import { parseCsv } from './parse-csv.js';
import { parseMallFile } from './parse-mall-file.js';
import type { ParsedFile, ParsedRecord } from './parsed-file.js';

/** Parses a file of sales in any of the three formats, which its first characters tell apart. Runs in browsers too. */
export function parseSalesFile(text: string): ParsedFile {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('{') || start.startsWith('[')) return parseJson(start);
  return /^[^\n]*\|/.test(start) ? parseMallFile(text) : parseCsv(text);
}

function parseJson(text: string): ParsedFile {
  try {
    const body = JSON.parse(text) as { readonly records?: unknown };
    if (Array.isArray(body.records) && body.records.every(isObject))
      return { days: [{ records: body.records as ParsedRecord[], lines: [] }], problems: [] };
    return {
      days: [],
      problems: [
        { line: null, message: 'must be a JSON object with an array "records" of objects' },
      ],
    };
  } catch (error) {
    return {
      days: [],
      problems: [{ line: null, message: `is not JSON: ${(error as Error).message}` }],
    };
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
