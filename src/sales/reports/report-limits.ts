/** How much a report may span: its days, and the restaurants times the days. */
export interface ReportLimit {
  readonly days: number;
  readonly restaurantDays: number;
}

/**
 * The limits of the reports, which their texts, the page and the guide take from here. A year, with
 * the weeks at its ends, is 400 days. Totals by hour read every hour, the others a row per day.
 */
export const REPORT_LIMITS = {
  calendar: { days: 62, restaurantDays: Infinity },
  missing: { days: 92, restaurantDays: 100_000 },
  totals: { days: 400, restaurantDays: 400_000 },
  hourlyTotals: { days: 400, restaurantDays: 40_000 },
  export: { days: 3660, restaurantDays: 4_000_000 },
  changes: { days: 400, restaurantDays: 400_000 },
} as const satisfies Record<string, ReportLimit>;

/** Uploads of a day in which the view `sales_history` looks for what an hour had before. */
export const MAX_UPLOADS_BEFORE = 5000;

/** Restaurants that a request may name. */
export const MAX_NAMED_RESTAURANTS = 100;

/** Says in words what a report may span. */
export function describeLimit({ days, restaurantDays }: ReportLimit): string {
  const product = restaurantDays.toLocaleString('en');
  const also =
    restaurantDays === Infinity ? '' : `, and restaurants times days are at most ${product}`;
  return `The range holds at most ${days} days${also}.`;
}
