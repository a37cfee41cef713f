import { Injectable } from '@nestjs/common';
import { escapeLiteral } from 'pg';
import { Streams } from '../../database/streams.js';
import { SALES_FIELDS } from '../sales-fields.js';

/** Which hours are exported; dates are YYYY-MM-DD, both included. */
export interface ExportRange {
  readonly from: string;
  readonly to: string;
  /** null: all */
  readonly restaurantId: number | null;
}

export type ExportFormat = 'csv' | 'ndjson';

/** The columns of an export, in the contract's order. */
const COLUMNS = ['restaurant_id', 'date', 'hour', ...SALES_FIELDS];

/** There are numbers and dates only, so that nothing needs an escape; `row_to_json` was seen to take twice the time. */
const JSON_LINE = COLUMNS.map((name, at) => {
  const quote = name === 'date' ? '"' : '';
  return `'${at === 0 ? '{' : ','}"${name}":${quote}', ${name}, '${quote}'`;
}).join(', ');

const FORMATS = {
  csv: { copied: 'csv, HEADER', columns: COLUMNS.map((name) => `h.${name}`).join(', ') },
  ndjson: { copied: 'text', columns: `concat(${JSON_LINE}, '}')` },
} as const;

/** Streams the hours as they stand, by restaurant, date and hour. */
@Injectable()
export class ExportRepository {
  constructor(private readonly streams: Streams) {}

  /**
   * The export's bytes: PostgreSQL writes the lines, so that amounts stay the decimals they are. It reads a range of each
   * restaurant's index entries at a time, so that neither years of other days are read nor all is sorted.
   */
  stream({ from, to, restaurantId }: ExportRange, format: ExportFormat): AsyncGenerator<Buffer> {
    const { copied, columns } = FORMATS[format];
    return this.streams.copy(
      `SELECT ${columns}
       FROM restaurants AS r
       CROSS JOIN LATERAL (
         SELECT * FROM hourly_sales
         WHERE restaurant_id = r.id AND date BETWEEN ${escapeLiteral(from)} AND ${escapeLiteral(to)}
         OFFSET 0
       ) AS h
       ${restaurantId === null ? '' : `WHERE r.id = ${escapeLiteral(String(restaurantId))}`}
       ORDER BY r.id, h.date, h.hour`,
      copied,
    );
  }

  /** How many hours there are to export. */
  async countHours({ from, to, restaurantId }: ExportRange): Promise<number> {
    const text = `
      SELECT coalesce(sum(bit_count(hours::bit(24))), 0)::float8 AS hours
      FROM sales_days
      WHERE date BETWEEN $1 AND $2 AND ($3::integer IS NULL OR restaurant_id = $3)`;
    for await (const row of this.streams.rows<{ hours: number }>(text, [from, to, restaurantId])) return row.hours;
    return 0;
  }
}
