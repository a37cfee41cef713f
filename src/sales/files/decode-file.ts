import { FileRefused } from './table.js';

/** Files of this size are larger than a year of a chain; beyond it memory would not suffice. */
const MAX_BYTES = 64 * 1024 * 1024;

const SAVE_AS_CSV = 'open it in a spreadsheet, save it as "CSV UTF-8" and import that';

/** The marks that tell an encoding, whatever a profile says. */
const MARKS: Readonly<Record<string, string>> = {
  '\xef\xbb\xbf': 'utf-8',
  '\xff\xfe': 'utf-16le',
  '\xfe\xff': 'utf-16be',
};

const NOT_UTF8 = 'is not UTF-8: save it as "CSV UTF-8", or name its encoding in its profile';

/** How files begin that hold no table, with what to do instead. */
const OTHER_FILES: readonly (readonly [start: RegExp, what: string])[] = [
  [/^\xd0\xcf\x11\xe0/, `is an old Excel file (xls), or a protected one: ${SAVE_AS_CSV}`],
  [/^%PDF/, 'is a PDF: export the report as CSV or as an Excel file (xlsx)'],
  [/^(\x89PNG|\xff\xd8\xff|GIF8)/, 'is a picture: export the report as CSV'],
  [/^(\x1f\x8b|7z\xbc\xaf|Rar!)/, 'is packed: unpack it and import the files in it'],
  [/^\s*<(!doctype html|html|head|body|table|meta|style)\b|^MIME-Version:/i, `is a web page: ${SAVE_AS_CSV}`],
  [/^\s*<[?!a-z]/i, `is XML: ${SAVE_AS_CSV}`],
]; // prettier-ignore

export function isZip(bytes: Uint8Array): boolean {
  return [0x50, 0x4b, 0x03, 0x04].every((byte, index) => bytes[index] === byte);
}

/** Decodes a text file; refuses, with what to do, what holds no text or an unknown encoding. */
export function decodeText(bytes: Uint8Array, encoding?: string): string {
  if (bytes.length > MAX_BYTES) throw new FileRefused('is larger than 64 MB: split it');
  const start = String.fromCharCode(...bytes.subarray(0, 512));
  const mark = Object.keys(MARKS).find((each) => start.startsWith(each));
  const text = mark === undefined ? start : start.slice(mark.length).replaceAll('\0', '');
  for (const [pattern, what] of OTHER_FILES) if (pattern.test(text)) throw new FileRefused(what);
  return trimmed(decode(bytes, mark === undefined ? (encoding ?? 'utf-8') : MARKS[mark]!));
}

function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new FileRefused(NOT_UTF8);
  }
}

/** Takes off what editors and tills leave at an end, and makes every line end alike. */
function trimmed(text: string): string {
  const isLeft = (at: number): boolean => /[\0\x1a\s]/.test(text.charAt(at));
  let end = text.length;
  while (end > 0 && isLeft(end - 1)) end--;
  const content = text.slice(0, end).replace(/^[\uFEFF\0]+/, '');
  if (content.includes('\0')) throw new FileRefused('is not text: export the report as CSV');
  return content.includes('\r') ? content.replace(/\r\n?/g, '\n') : content;
}
