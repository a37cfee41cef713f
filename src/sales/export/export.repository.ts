import { Injectable } from '@nestjs/common';
import { escapeLiteral } from 'pg';
import { Database } from '../../database/database.js';
import { HOURS_PER_DAY, SALES_FIELDS } from '../fields/sales-fields.js';

/** Dates are YYYY-MM-DD, both included. */
export interface ExportRange {
  readonly from: string;
  readonly to: string;
  /** null: all */
  readonly restaurantId: number | null;
}

export type ExportFormat = 'csv' | 'ndjson';

const COLUMNS = ['restaurant_id', 'date', 'hour', ...SALES_FIELDS.map(({ name }) => name)];

/** Numbers and dates need no escaping; see docs/performance.md#export-ndjson */
const JSON_LINE = COLUMNS.map((name, index) => {
  const quote = name === 'date' ? '"' : '';
  return `'${index === 0 ? '{' : ','}"${name}":${quote}', ${name}, '${quote}'`;
}).join(', ');

const FORMATS = {
  csv: { copyFormat: 'csv, HEADER', columns: COLUMNS.map((name) => `h.${name}`).join(', ') },
  ndjson: { copyFormat: 'text', columns: `concat(${JSON_LINE}, '}')` },
} as const;

const COUNT_HOURS = `
SELECT coalesce(sum(bit_count(hours::bit(${HOURS_PER_DAY}))), 0)::float8 AS hours
FROM sales_days
WHERE date BETWEEN $1 AND $2 AND ($3::integer IS NULL OR restaurant_id = $3)`;

@Injectable()
export class ExportRepository {
  constructor(private readonly database: Database) {}

  /** By restaurant, date and hour. PostgreSQL writes the lines, so amounts keep all digits; OFFSET 0 makes it read one index range per restaurant. */
  async *stream({ from, to, restaurantId }: ExportRange, format: ExportFormat): AsyncGenerator<Buffer> {
    const { copyFormat, columns } = FORMATS[format];
    const dates = `date BETWEEN ${escapeLiteral(from)} AND ${escapeLiteral(to)}`;
    const ifOne = (column: string): string => (restaurantId === null ? '' : `AND ${column} = ${restaurantId}`);
    const hours = (await this.database.isDistributed())
      ? `FROM hourly_sales AS h WHERE ${dates} ${ifOne('restaurant_id')} ORDER BY restaurant_id, h.date, h.hour`
      : `FROM restaurants AS r
         CROSS JOIN LATERAL (SELECT * FROM hourly_sales WHERE restaurant_id = r.id AND ${dates} OFFSET 0) AS h
         WHERE true ${ifOne('r.id')}
         ORDER BY r.id, h.date, h.hour`;
    yield* this.database.streamCopy(`SELECT ${columns} ${hours}`, copyFormat);
  }

  async countHours({ from, to, restaurantId }: ExportRange): Promise<number> {
    return (await this.database.readSlowly<{ hours: number }>(COUNT_HOURS, [from, to, restaurantId])).hours;
  }
}
