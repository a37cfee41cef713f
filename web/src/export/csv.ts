import type { Sheet } from '../components/columns.js';

/** Saves rows as CSV (RFC 4180); the byte order mark tells Excel that it is UTF-8. */
export function saveCsv<Row>({ name, columns, rows }: Sheet<Row>): void {
  const head = columns.map(({ label }) => quoted(label));
  const lines = rows.map((row) =>
    columns.map(({ kind = 'text', value }) => {
      const digits = value(row) ?? '';
      // A spreadsheet with a decimal comma would take 0.125 for 125, and 0.1250 for a text.
      const amount = /\.\d{3}$/.test(digits) ? `${digits}0` : digits;
      return kind === 'text' ? quoted(disarmed(digits)) : amount;
    }),
  );
  const csv = [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
  saveFile(`${name}.csv`, new Blob([`\uFEFF${csv}`], { type: 'text/csv' }));
}

/** Every text is quoted, so that no separator of any country's spreadsheet splits it. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * An apostrophe before a text keeps a spreadsheet from running it as a formula, also where a
 * separator of another country stands before it; Excel takes full-width signs for the usual ones.
 */
const disarmed = (text: string): string =>
  /^(?:[\s;,|]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/.test(text) ? `'${text}` : text;

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // a busy browser reads it later
}

/** Copies a text; returns what to tell the user. */
export const copied = (text: string): Promise<string> =>
  navigator.clipboard.writeText(text).then(
    () => 'Copied.',
    () => `This browser does not let the page copy: ${text}`,
  );
