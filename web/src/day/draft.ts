import { amountOf } from '../amounts.js';
import type { DayResponse } from '../api/shapes.js';
import { type FieldChange, overwritesOf } from '../components/changes-table.js';
import {
  type Field,
  type Figures,
  figuresOf,
  HOURS,
  hourText,
  kindOf,
  labelOf,
  NO_FIGURES,
} from '../fields.js';

/** What was typed in an hour; a figure that was not touched is not there. */
export type Typed = Readonly<Partial<Figures>>;

export type Draft = Readonly<Record<string, Typed>>;

/** What was typed over the figures of a day and is not saved, with the day as it was then. */
interface KeptDraft {
  readonly base: DayResponse;
  readonly draft: Draft;
}

/** What was typed, by restaurant and day: it stays while other views are shown. */
export const drafts = new Map<string, KeptDraft>();

export const draftKey = ({ restaurant_id: id, date }: DayResponse): string => `${id} ${date}`;

const entriesOf = (typed: Typed) => Object.entries(typed) as [field: Field, text: string][];

/** Returns the stored figures of an hour; undefined if it was not sent. */
export const storedOf = ({ records }: DayResponse, hour: string): Figures | undefined =>
  records.find((record) => record.hour === hour);

/** Says what is wrong with a typed figure. */
export function faultOf(field: Field, typed: string): string | undefined {
  const digits = amountOf(typed);
  if (kindOf(field) === 'count')
    return /^\d{1,10}$/.test(digits ?? '') ? undefined : 'must be a whole number';
  if (digits === undefined) return 'must be an amount with a point, such as 1250.50';
  return digits.split('.')[0]!.length > 11 ? 'is too high' : undefined;
}

/** Says what is wrong with all that was typed, a sentence each. */
export const faultsOf = (draft: Draft): string[] =>
  Object.entries(draft).flatMap(([hour, typed]) =>
    entriesOf(typed).flatMap(([field, text]) => {
      const fault = faultOf(field, text);
      return fault === undefined ? [] : [`${hourText(hour)}, ${labelOf(field)} ${fault}.`];
    }),
  );

/** Puts typed figures over the stored ones; an hour that was not sent begins with zeros. */
export function recordOf(day: DayResponse, hour: string, typed: Typed): Figures {
  const stored = storedOf(day, hour);
  return figuresOf((field) => amountOf(typed[field] ?? '') ?? stored?.[field] ?? '0');
}

/** Lists the figures that differ from the stored ones. */
export function changesOf(day: DayResponse, draft: Draft): FieldChange[] {
  return Object.entries(draft).flatMap(([hour, typed]) => {
    const stored = storedOf(day, hour);
    return entriesOf(typed)
      .filter(([field, text]) => faultOf(field, text) === undefined)
      .map(([field, text]) => {
        return { hour, field, before: stored?.[field] ?? '0', after: amountOf(text)! };
      })
      .filter(({ before, after }) => !stored || before !== after);
  });
}

/** The figures of a day that differ between two readings of it. */
export const differencesOf = (one: DayResponse, other: DayResponse): FieldChange[] =>
  overwritesOf(
    HOURS.map((hour) => {
      const [before = NO_FIGURES, after = NO_FIGURES] = [
        storedOf(one, hour),
        storedOf(other, hour),
      ];
      return { hour, before, after };
    }),
  );

/** Writes an upload of some hours; the digits that were typed are those that are sent. */
export function uploadJson(day: DayResponse, draft: Draft, hours: readonly string[]): string {
  const records = hours.map((hour) => {
    const figures = Object.entries(recordOf(day, hour, draft[hour] ?? {}));
    const numbers = [['restaurant_id', day.restaurant_id], ['hour', hour], ...figures];
    const fields = numbers.map(([field, digits]) => `"${field}":${digits}`);
    return `{"date":"${day.date}",${fields.join()}}`;
  });
  return `{"records":[${records.join()}]}`;
}
