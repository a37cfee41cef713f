import { Injectable } from '@nestjs/common';
import { Batcher } from '../../database/batcher.js';
import { Database } from '../../database/database.js';
import { SALES_FIELDS, type Figures } from '../fields/sales-fields.js';
import { PREVIEW_UPLOAD } from './preview-upload.statement.js';
import { SAVE_UPLOADS } from './save-uploads.statement.js';

export interface Upload {
  readonly restaurantId: number;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly userId: number;
  /** The `jti` claim. */
  readonly tokenId: string;
  readonly clientAddress: string;
  readonly records: readonly (Figures<number | undefined> & { readonly hour: number })[];
}

/** Saved if the token is `live` and the restaurant `granted` and neither `closed` nor `archived`. */
export interface UploadChecks {
  readonly live: boolean | null;
  readonly name: string | null;
  readonly closed: boolean | null;
  readonly archived: true | null;
  readonly granted: boolean | null;
}

export interface UploadOutcome extends UploadChecks {
  /** In the ledger; null if not saved. */
  readonly number: number | null;
  /** One bit per hour with replaced figures. */
  readonly overwrittenHours: number;
}

export interface UploadPreview extends UploadChecks {
  /** JSON text of an object with the changes and the warnings. */
  readonly preview: string;
}

type Row = UploadOutcome & { readonly place: number };

/** Validation rejects records without a required field: defaults apply to optional ones. */
const COLUMNS = [{ name: 'hour' as const }, ...SALES_FIELDS].map((field) => ({ default: 0, ...field }));

@Injectable()
export class UploadsRepository {
  private readonly writes = new Batcher<Upload, UploadOutcome>(
    (uploads) => this.saveAll(uploads),
    { name: 'uploads', maxConcurrency: 4, maxBatchSize: 16 },
    dayOf,
  );

  constructor(private readonly database: Database) {}

  /** Waiting uploads share a statement; each is saved completely or not at all. */
  save(upload: Upload): Promise<UploadOutcome> {
    return this.writes.add(upload);
  }

  async preview(upload: Upload): Promise<UploadPreview> {
    const [row] = await this.database.run<UploadPreview>(PREVIEW_UPLOAD, valuesOf([upload]));
    return row!;
  }

  private async saveAll(uploads: Upload[]): Promise<UploadOutcome[]> {
    const outcomes = new Array<UploadOutcome>(uploads.length);
    for (const row of await this.database.run<Row>(SAVE_UPLOADS, valuesOf(uploads))) outcomes[row.place - 1] = row;
    return outcomes;
  }
}

function dayOf({ restaurantId, date }: Upload): string {
  return `${restaurantId} ${date}`;
}

function valuesOf(uploads: readonly Upload[]): unknown[] {
  return [JSON.stringify(uploads.map(headOf)), uploads.map(recordsOf)];
}

/** `place` counts from 1, as SQL arrays do. */
function headOf({ restaurantId, date, userId, tokenId, clientAddress, records }: Upload, index: number) {
  return {
    place: index + 1,
    restaurant_id: restaurantId,
    date,
    user_id: userId,
    token_id: tokenId,
    client_address: clientAddress,
    processed: records.length,
    hours: records.reduce((bits, { hour }) => bits | (1 << hour), 0),
  };
}

/** One array per field: `{"hour": [0, 1], "orders": [3, 4], ...}`; see docs/performance.md#records-by-column */
function recordsOf({ records }: Upload): string {
  const columns: Record<string, number[]> = {};
  for (const { name, default: missing } of COLUMNS) {
    const column: number[] = [];
    for (const record of records) column.push(record[name] ?? missing);
    columns[name] = column;
  }
  return JSON.stringify(columns);
}
