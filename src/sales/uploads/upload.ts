import { SALES_FIELDS, type Figures } from '../fields/sales-fields.js';

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

export type SavedRow = UploadOutcome & { readonly place: number };

/** Validation rejects records without a required field: defaults apply to optional ones. */
const COLUMNS = [{ name: 'hour' as const }, ...SALES_FIELDS].map((field) => ({ default: 0, ...field }));

/** Makes an upload of validated records, which are of one restaurant and one date. */
export function uploadOf(
  records: readonly (Upload['records'][number] & { readonly restaurant_id: number; readonly date: string })[],
  { userId, tokenId }: Pick<Upload, 'userId' | 'tokenId'>,
  clientAddress: string,
): Upload {
  const { restaurant_id: restaurantId, date } = records[0]!;
  return { restaurantId, date, userId, tokenId, clientAddress, records };
}

/** Uploads of one day never share a statement. */
export function dayOf({ restaurantId, date }: Upload): string {
  return `${restaurantId} ${date}`;
}

/** The parameters of SAVE_UPLOADS. */
export function valuesOf(uploads: readonly Upload[]): unknown[] {
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

/** In the order of the uploads. */
export function outcomesOf(rows: readonly SavedRow[]): UploadOutcome[] {
  const outcomes: UploadOutcome[] = [];
  for (const row of rows) outcomes[row.place - 1] = row;
  return outcomes;
}
