/** Saves CSV as a file of the browser's downloads; Excel takes it for UTF-8 because of the byte order mark. */
export function downloadCsv(name: string, csv: string): void {
  const url = URL.createObjectURL(new Blob([`\uFEFF${csv}`], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/** Writes CSV (RFC 4180). */
export function toCsv(rows: readonly (readonly (string | undefined)[])[]): string {
  return rows.map((row) => row.map(csvCell).join(',') + '\r\n').join('');
}

/** Quotes a cell; a spreadsheet would run a name that begins like a formula. */
function csvCell(value = ''): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
