import type { SalesField } from '../sales-fields.js';

/** One hour's figures as they were sent. */
export type HourlyRecord = Readonly<Record<SalesField, number>> & { readonly hour: number };

/** One upload that was found valid: some hours of one restaurant's day, and who sent them from where. */
export interface Upload {
  readonly restaurantId: number;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly userId: number;
  /** The `jti` of the token that it came with. */
  readonly tokenId: string;
  readonly clientAddress: string;
  readonly records: readonly HourlyRecord[];
}

/** What became of an upload. It was saved where it is `live` (its token was not revoked), `granted` and not `closed`. */
export interface UploadOutcome {
  readonly live: boolean | null;
  readonly name: string | null;
  readonly closed: boolean | null;
  readonly granted: boolean | null;
  /** A bit for each hour whose figures it replaced. */
  readonly overwrittenHours: number;
}
