import { addDecimals } from '../amounts.js';
import type { Sums } from '../api/shapes.js';

/** Counts of a line that are added up beside its figures. */
const COUNTS = ['hours', 'expected_hours', 'missing_hours', 'restaurants', 'days'] as const;

/** Collects lines of the same key, and adds them up once, when the sum is asked for. */
export class SumOfLines<Line extends Sums> {
  private readonly lines: Line[];

  constructor(private readonly first: Line) {
    this.lines = [first];
  }

  add(line: Line): void {
    this.lines.push(line);
  }

  get line(): Line {
    if (this.lines.length === 1) return this.first;
    const counts: Record<string, string> = {};
    for (const name of COUNTS) {
      if (!(name in this.first)) continue;
      const sum = this.lines.reduce((total, line) => total + Number(countOf(line, name)), 0);
      counts[name] = String(sum);
    }
    return { ...this.first, ...counts, ...this.latest(), totals: this.totals() };
  }

  private totals(): Record<string, string> {
    const fields = Object.keys(this.first.totals);
    return Object.fromEntries(
      fields.map((field) => [
        field,
        addDecimals(this.lines.map((line) => line.totals[field] ?? '0')),
      ]),
    );
  }

  /** A restaurant's last day with an upload is the last one of all lines. */
  private latest(): object {
    if (!('last_sent' in this.first)) return {};
    const days = this.lines.map((line) => countOf(line, 'last_sent', ''));
    return { last_sent: days.sort().at(-1) || null };
  }
}

const countOf = (line: object, name: string, none = '0'): string =>
  (line as Record<string, string | null>)[name] ?? none;
