/**
 * Is emitted in the process that has saved an upload, after its commit. Who must not miss one reads
 * the ledger by number: see docs/extending.md#events.
 */
export class UploadSaved {
  static readonly event = 'upload.saved';

  constructor(
    readonly restaurantId: number,
    /** The day as YYYY-MM-DD. */
    readonly date: string,
    /** The hours that were sent. */
    readonly hours: readonly number[],
    /** The hours whose figures were replaced by others. */
    readonly replacedHours: readonly number[],
    readonly userId: number,
  ) {}
}
