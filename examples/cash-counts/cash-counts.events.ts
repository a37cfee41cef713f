/** Is emitted when a cash count was saved. */
export class CashCountSaved {
  static readonly event = 'cash-count.saved';

  constructor(
    readonly restaurantId: number,
    readonly date: string,
    readonly isCorrection: boolean,
  ) {}
}
