import type { Figures } from '../fields.js';

/** Shapes of the service's responses as the page reads them; each number is its digits. */

export interface Closure {
  readonly first_day: string;
  readonly last_day: string | null;
  readonly reason: string | null;
}

export interface Restaurant {
  readonly restaurant_id: string;
  readonly name: string;
  readonly first_day?: string;
  /** Seven texts, Monday first, such as `11:00-22:00`. */
  readonly weekly_hours?: readonly string[];
  readonly closures?: readonly Closure[];
}

export interface AccountResponse {
  readonly username: string;
  readonly all_restaurants: boolean;
  readonly time_zone: string;
  readonly currency: string;
  readonly today: string;
  readonly restaurants: readonly Restaurant[];
}

/** Sums, the number of hours that were sent and were expected, and of those that are missing. */
export interface Sums {
  readonly hours: string;
  readonly expected_hours: string;
  readonly missing_hours: string;
  readonly totals: Figures;
}

export interface DaySums extends Sums {
  readonly date: string;
  readonly restaurants: string;
}

export interface RestaurantSums extends Sums {
  readonly restaurant_id: string;
  readonly name: string;
  readonly days: string;
  readonly last_sent: string | null;
}

export interface HourSums extends Sums {
  readonly hour: string;
}

export interface WeekdayHourSums extends HourSums {
  readonly weekday: string;
}

export interface TotalsResponse {
  readonly days?: readonly DaySums[];
  readonly restaurants?: readonly RestaurantSums[];
  readonly hours?: readonly HourSums[];
  readonly weekday_hours?: readonly WeekdayHourSums[];
}

export interface CalendarRow {
  readonly restaurant_id: string;
  readonly name: string;
  /** A letter a day. */
  readonly days: string;
  readonly first_day: string;
  readonly last_sent: string | null;
  readonly expected_hours: readonly string[];
  readonly missing_hours: readonly string[];
}

export interface CalendarResponse {
  readonly today: string;
  readonly time_zone: string;
  readonly restaurants: readonly CalendarRow[];
}

export interface MissingDay {
  readonly restaurant_id: string;
  readonly name: string;
  readonly date: string;
  readonly missing_hours: readonly string[];
}

export type HourRecord = Figures & { readonly hour: string };

export interface DayResponse {
  readonly restaurant_id: string;
  readonly date: string;
  readonly records: readonly HourRecord[];
  readonly expected_hours: readonly string[];
  readonly missing_hours: readonly string[];
  readonly first_day: string;
  readonly closed: { readonly reason: string | null } | null;
  readonly totals: Figures;
  readonly last_uploaded_at: string | null;
}

export interface HourChange {
  readonly hour: string;
  readonly before: Figures | null;
  readonly after: Figures;
}

export interface DayUpload {
  readonly id: string;
  readonly uploaded_at: string;
  readonly username: string;
  readonly source?: string | null;
  readonly processed: string;
  readonly changes: readonly HourChange[];
}

/** A correction: an upload that replaced figures. */
export interface Correction {
  readonly id: string;
  readonly restaurant_id: string;
  readonly name: string;
  readonly date: string;
  readonly uploaded_at: string;
  readonly username: string;
  readonly source: string | null;
  readonly hours: readonly string[];
  readonly gto_before: string;
  readonly gto_after: string;
}

export interface ChangesResponse {
  readonly changes: readonly Correction[];
  readonly next: string | null;
}
