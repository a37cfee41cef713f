import Papa from 'papaparse';

/** Reads the lines of a count from CSV whose first line names the columns, for a DTO to check. */
export function parseLines(csv: string): unknown[] {
  const options = {
    header: true,
    skipEmptyLines: true,
    transformHeader: (name: string) => name.trim(),
  };
  const { data } = Papa.parse<Record<string, string>>(csv.replace(/^\uFEFF/, ''), options);
  return data.map(({ amount, ...cells }) => ({
    amount: /^\d+(\.\d+)?$/.test(amount ?? '') ? Number(amount) : amount,
    ...Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== '')),
  }));
}
