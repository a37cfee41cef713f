import type { SalesField } from './sales-fields.js';

/** One hour's figures as they were sent. */
export type HourlyRecord = Readonly<Record<SalesField, number>> & { readonly hour: number };

/** One upload that was found valid: some hours of one restaurant's day, and who sent them from where. */
export interface Upload {
  readonly restaurantId: number;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly userId: number;
  readonly clientAddress: string;
  readonly records: readonly HourlyRecord[];
}

/** What became of an upload. `granted` is null or false, and `name` null, where it was not saved for want of a right. */
export interface UploadOutcome {
  readonly name: string | null;
  readonly closed: boolean | null;
  readonly granted: boolean | null;
  /** A bit for each hour whose figures it replaced. */
  readonly overwrittenHours: number;
}
