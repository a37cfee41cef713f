/** An upload was committed. Sent at most once, and only in the process that saved it. */
export class DaySaved {
  constructor(
    readonly restaurantId: number,
    /** YYYY-MM-DD */
    readonly date: string,
    /** Of the upload in the ledger: the day's uploads are numbered from 1 without gaps. */
    readonly number: number,
    readonly userId: number,
  ) {}
}
