import type { RestaurantsResponse } from '../../../src/restaurants/restaurants.dto.js';
import type * as Reports from '../../../src/sales/reports/reports-responses.dto.js';
import type * as Uploads from '../../../src/sales/uploads/upload-daily.dto.js';

/**
 * What the service sends, by the classes from which it makes its OpenAPI document, as the page reads
 * it: each number is the digits that were sent, as amounts have more of them than numbers hold, and
 * what only some responses have is taken to be there.
 */
type Exact<T> = T extends number
  ? string
  : T extends readonly (infer Entry)[]
    ? readonly Exact<Entry>[]
    : T extends object
      ? { readonly [Key in keyof T]-?: Exact<T[Key]> }
      : T;

type EntryOf<List> = List extends readonly (infer Entry)[] ? Entry : never;

export type AccountResponse = Exact<RestaurantsResponse>;
export type Restaurant = EntryOf<AccountResponse['restaurants']>;
export type Closure = EntryOf<Restaurant['closures']>;

/** The response of the totals has the list that was asked for. */
export type TotalsResponse = Exact<Reports.TotalsResponse>;
export type DaySums = EntryOf<TotalsResponse['days']>;
export type RestaurantSums = EntryOf<TotalsResponse['restaurants']>;
export type HourSums = EntryOf<TotalsResponse['hours']>;
export type WeekdayHourSums = EntryOf<TotalsResponse['weekday_hours']>;
/** Sums, the number of hours that were sent and were expected, and of those that are missing. */
export type Sums = Pick<DaySums, 'hours' | 'expected_hours' | 'missing_hours' | 'totals'>;

/** The calendar has 70 counts for each restaurant and no amount: its numbers are read as numbers. */
export type CalendarResponse = Required<Reports.CalendarResponse>;
export interface CalendarRow extends Required<
  Omit<CalendarResponse['restaurants'][number], 'restaurant_id'>
> {
  readonly restaurant_id: string;
}
export type MissingResponse = Exact<Reports.MissingResponse>;

export type DayResponse = Exact<Reports.DayResponse>;
export type HourRecord = EntryOf<DayResponse['records']>;
export type UploadsResponse = Exact<Reports.UploadsResponse>;
export type DayUpload = EntryOf<UploadsResponse['uploads']>;
export type HourChange = EntryOf<DayUpload['changes']>;
/** The response to an upload; its changes, warnings and stored hours are those of a dry run. */
export type UploadResponse = Exact<Uploads.UploadResponse>;

export type ChangesResponse = Exact<Reports.ChangesResponse>;
/** A correction: an upload that replaced figures. */
export type Correction = EntryOf<ChangesResponse['changes']>;
