import type { Figures } from '../fields.js';
import type { components } from './schema.js';

type Schemas = components['schemas'];

/**
 * A type of the document as the page reads it. Each number is the digits that were sent, as amounts
 * have more of them than numbers hold. What the document calls optional because it may be null is
 * always there; of the lists of totals, the one that was asked for.
 */
type Exact<T> = T extends number
  ? string
  : T extends readonly (infer Entry)[]
    ? readonly Exact<Entry>[]
    : Required<T> extends Schemas['SalesFigures']
      ? Figures & {
          readonly [Key in Exclude<keyof T, keyof Schemas['SalesFigures']>]: Exact<T[Key]>;
        }
      : T extends object
        ? { readonly [Key in keyof T]-?: Exact<T[Key]> }
        : T;

type Shape<Name extends keyof Schemas> = Exact<Schemas[Name]>;

export type AccountResponse = Shape<'RestaurantsResponse'>;
export type Restaurant = Shape<'GrantedRestaurant'>;
export type Closure = Shape<'RestaurantClosureDto'>;

/** Sums, the number of hours that were sent and were expected, and of those that are missing. */
export type Sums = Pick<DaySums, 'hours' | 'expected_hours' | 'missing_hours' | 'totals'>;
export type DaySums = Shape<'DayTotals'>;
export type RestaurantSums = Shape<'RestaurantTotals'>;
export type HourSums = Shape<'HourTotals'>;
export type WeekdayHourSums = Shape<'WeekdayHourTotals'>;
export type TotalsResponse = Shape<'TotalsResponse'>;

/** The calendar has 70 counts for each restaurant and no amount: its numbers are read as numbers. */
export type CalendarResponse = Required<Schemas['CalendarResponse']>;
export interface CalendarRow extends Required<
  Omit<Schemas['CalendarRestaurant'], 'restaurant_id'>
> {
  readonly restaurant_id: string;
}
export type MissingResponse = Shape<'MissingResponse'>;

export type DayResponse = Shape<'DayResponse'>;
export type HourRecord = DayResponse['records'][number];
export type UploadsResponse = Shape<'UploadsResponse'>;
export type DayUpload = Shape<'DayUpload'>;
export type HourChange = Shape<'HourChange'>;
/** The response to an upload; its changes, warnings and stored hours are those of a dry run. */
export type UploadResponse = Shape<'UploadResponse'>;

export type ChangesResponse = Shape<'ChangesResponse'>;
/** A correction: an upload that replaced figures. */
export type Correction = Shape<'SalesChange'>;
