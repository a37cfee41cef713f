import type { HourChange } from '../fields/hourly-sales-record.dto.js';
import type { SentFigures, SentUpload } from '../fields/sales-fields.js';
import type { ImportSource } from '../files/import-source.js';
import { StoredHourDto, type UploadWarning } from './upload-daily.dto.js';

/** Who sends an upload: a request with a token, or a command or program of ours without one. */
export interface Sender {
  readonly userId: number;
  /** Whether a live token is required; what says nothing of it is refused. */
  readonly checksToken: boolean;
  /** The `jti` claim of the token. */
  readonly tokenId?: string | undefined;
}

/** Some or all hours of one restaurant's day, as a user sent them. */
export interface Upload extends Sender {
  readonly restaurantId: number;
  /** The day as YYYY-MM-DD. */
  readonly date: string;
  readonly clientAddress: string;
  /** Where the figures come from, such as the name of a file; null if the client did not say. */
  readonly source: string | null;
  /** The profile and the tills of an import; null for what a till or a person sends. */
  readonly importSource: ImportSource | null;
  /** The version that the day must have for the upload to be saved; undefined for any. */
  readonly expectedVersion?: number | undefined;
  readonly records: readonly (SentFigures & { readonly hour: number })[];
}

/**
 * What the database has found: an upload is saved if `live` and `granted`, not `closed`, and its day
 * has the expected version.
 */
export interface UploadChecks {
  /** Whether the token was issued to the user and not revoked, or need not be checked. */
  readonly live: boolean | null;
  /** The restaurant's name; null if there is no such restaurant. */
  readonly name: string | null;
  /** Whether it has sales in hours of a closure. */
  readonly closed: boolean | null;
  readonly granted: boolean | null;
}

export interface SavedUpload extends UploadChecks {
  /** The hours whose figures were replaced by others, one bit each; null if it was not saved. */
  readonly replacedHours: number | null;
}

export interface UploadPreview extends UploadChecks {
  /** Number of uploads of the day so far. */
  readonly version: number;
  readonly stored: readonly StoredHourDto[];
  readonly changes: readonly HourChange[];
  readonly warnings: readonly UploadWarning[];
}

/** Makes an upload of validated records, which are of one restaurant and one date. */
export function uploadOf(
  records: SentUpload['records'],
  { userId, checksToken, tokenId }: Sender,
  clientAddress: string,
  origin: Partial<Pick<Upload, 'source' | 'importSource' | 'expectedVersion'>> = {},
): Upload {
  const { restaurant_id: restaurantId, date } = records[0]!;
  const { source = null, importSource = null, expectedVersion } = origin;
  const sender = { userId, checksToken, tokenId, clientAddress };
  return { ...sender, restaurantId, date, source, importSource, expectedVersion, records };
}

/** Returns the key of an upload's day; uploads of one day never share a statement. */
export function dayOf({ restaurantId, date }: Upload): string {
  return `${restaurantId} ${date}`;
}
