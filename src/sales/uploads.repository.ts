import { Injectable } from '@nestjs/common';
import { Coalescer } from '../database/coalescer.js';
import { Database } from '../database/database.js';
import { SALES_FIELDS } from './sales-fields.js';
import { SAVE_UPLOADS } from './save-upload.statement.js';
import type { HourlyRecord, Upload, UploadOutcome } from './upload.js';

type Row = UploadOutcome & { readonly restaurant_id: number; readonly date: string };

/** Writes uploads: the hours, the day and the ledger. */
@Injectable()
export class UploadsRepository {
  private readonly writes = new Coalescer<Upload, UploadOutcome>(
    (uploads) => this.saveAll(uploads),
    { lanes: 4, size: 16 },
    dayOf,
  );

  constructor(private readonly database: Database) {}

  /** Saves the upload whole or not at all; uploads that wait at the same moment share a statement. */
  save(upload: Upload): Promise<UploadOutcome> {
    return this.writes.add(upload);
  }

  private async saveAll(uploads: Upload[]): Promise<UploadOutcome[]> {
    const rows = await this.database.run<Row>(SAVE_UPLOADS, [`[${uploads.map(toJson).join()}]`]);
    const byDay = new Map(rows.map((row) => [`${row.restaurant_id} ${row.date}`, row]));
    return uploads.map((upload) => byDay.get(dayOf(upload))!);
  }
}

function dayOf({ restaurantId, date }: Upload): string {
  return `${restaurantId} ${date}`;
}

function toJson({ restaurantId, date, userId, tokenId, clientAddress, records }: Upload): string {
  return JSON.stringify({
    restaurant_id: restaurantId,
    date,
    user_id: userId,
    token_id: tokenId,
    client_address: clientAddress,
    processed: records.length,
    hours: records.reduce((bits, { hour }) => bits | (1 << hour), 0),
    records: toColumns(records),
  });
}

/** A column of values a field: `{hour: [0, 1], orders: [3, 4], ...}`. */
function toColumns(records: readonly HourlyRecord[]): Record<string, number[]> {
  const columns: Record<string, number[]> = { hour: records.map(({ hour }) => hour) };
  for (const field of SALES_FIELDS) columns[field] = records.map((record) => record[field]);
  return columns;
}
