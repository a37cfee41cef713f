import { addDecimals } from '../amounts.js';
import type { HourChange, HourRecord } from '../api/shapes.js';
import type { FieldChange } from '../components/changes-table.js';
import { type Figures, hourText, kindOf, labelOf, PAYMENTS } from '../fields.js';
import type { Day } from './day-data.js';

/** What was typed, by hour and field; a cell that was not touched is not there. */
export type Draft = Readonly<Record<string, Figures>>;

/** Returns the stored figures of an hour; undefined if it was not sent. */
export const storedOf = ({ records }: Day, hour: string): Figures | undefined =>
  records.find((record) => record.hour === hour);

export const fieldsOf = (day: Day): readonly string[] => Object.keys(day.totals);

/** Writes digits as the service does, so that `1,250.50` and `1250.5` are the same. */
export function plainDigits(text: string): string {
  const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.');
  const kept = fraction.replace(/0+$/, '');
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (kept && `.${kept}`);
}

/** Digits in groups of three, as the page writes them. */
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/;

/** Says what is wrong with a typed figure. */
export function faultOf(field: string, typed: string): string | undefined {
  const text = GROUPED.test(typed) ? typed.replaceAll(',', '') : typed;
  if (kindOf(field) === 'count')
    return /^\d{1,10}$/.test(text) ? undefined : 'must be a whole number';
  if (!/^\d+(\.\d+)?$/.test(text)) return 'must be an amount with a point, such as 1250.50';
  return text.split('.')[0]!.length > 11 ? 'is too high' : undefined;
}

/** Says what is wrong with all that was typed, a sentence each. */
export const faultsOf = (draft: Draft): string[] =>
  Object.entries(draft).flatMap(([hour, typed]) =>
    Object.entries(typed).flatMap(([field, text]) => {
      const fault = faultOf(field, text);
      return fault === undefined ? [] : [`${hourText(hour)}, ${labelOf(field)} ${fault}.`];
    }),
  );

/** Puts typed figures over the stored ones; an hour that was not sent begins with zeros. */
export function recordOf(day: Day, hour: string, typed: Figures): Record<string, string> {
  const stored = storedOf(day, hour);
  return Object.fromEntries(
    fieldsOf(day).map((field) => [field, plainDigits(typed[field] ?? stored?.[field] ?? '0')]),
  );
}

/** Lists the figures that differ from the stored ones. */
export function changesOf(day: Day, draft: Draft): FieldChange[] {
  return Object.entries(draft).flatMap(([hour, typed]) => {
    const stored = storedOf(day, hour);
    return Object.entries(typed)
      .filter(([field, text]) => faultOf(field, text) === undefined)
      .map(([field, text]) => ({
        hour,
        field,
        before: stored?.[field] ?? '0',
        after: plainDigits(text),
      }))
      .filter(({ before, after }) => !stored || plainDigits(before) !== after);
  });
}

/** Keeps the hours in which a figure differs from the stored one. */
export function changedHours(draft: Draft, changes: readonly FieldChange[]): Draft {
  const isChanged = (hour: string): boolean => changes.some((change) => change.hour === hour);
  return Object.fromEntries(Object.entries(draft).filter(([hour]) => isChanged(hour)));
}

/** The figures of a day that differ between two readings of it, in any hour. */
export function differencesOf(one: Day, other: Day): FieldChange[] {
  const hours = new Set([...one.records, ...other.records].map(({ hour }) => hour));
  return [...hours].flatMap((hour) => {
    const [was, is] = [storedOf(one, hour), storedOf(other, hour)];
    return fieldsOf(other)
      .map((field) => ({ hour, field, before: was?.[field] ?? '0', after: is?.[field] ?? '0' }))
      .filter(({ before, after }) => plainDigits(before) !== plainDigits(after));
  });
}

/** Whether a dry run found the hours as they were when the figures were typed. */
export function isAsSeen(day: Day, changes: readonly HourChange[], draft: Draft): boolean {
  return Object.keys(draft).every((hour) => {
    const change = changes.find((each) => each.hour === hour);
    if (!change) return true; // what is stored is what would be saved
    const stored = storedOf(day, hour);
    if (!change.before || !stored) return !change.before && !stored;
    const plainAt = (figures: Figures, field: string) => plainDigits(figures[field] ?? '0');
    return fieldsOf(day).every((field) => {
      return plainAt(change.before!, field) === plainAt(stored, field);
    });
  });
}

/** The figures that an upload replaced, where they were not those of the day as it was seen. */
export function unseenOf(day: Day, changes: readonly HourChange[]): FieldChange[] {
  const records = changes.map(({ hour, before }) => ({ ...before, hour }) as HourRecord);
  const hours = new Set(changes.map(({ hour }) => hour));
  const seen = day.records.filter(({ hour }) => hours.has(hour));
  return differencesOf({ ...day, records: seen }, { ...day, records });
}

/** Writes an upload; the digits that were typed are those that are sent. */
export function uploadJson(day: Day, draft: Draft): string {
  const records = Object.entries(draft).map(([hour, typed]) => {
    const figures = Object.entries(recordOf(day, hour, typed));
    const numbers = [['restaurant_id', day.restaurant_id], ['hour', hour], ...figures];
    const fields = numbers.map(([field, digits]) => `"${field}":${digits}`);
    return `{"date":"${day.date}",${fields.join()}}`;
  });
  return `{"records":[${records.join()}]}`;
}

/** Says whether the payments of an hour add up to its turnover, without or with tax and service. */
export function addsUp(figures: Figures): boolean {
  const paid = addDecimals(PAYMENTS.map((field) => figures[field] ?? '0'));
  const net = figures['gto'] ?? '0';
  const gross = addDecimals([net, figures['gst'] ?? '0', figures['svc'] ?? '0']);
  return paid === plainDigits(net) || paid === gross;
}
