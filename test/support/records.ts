import type { Profile } from '../../src/sales/files/profile.js';

export const COUNTS = ['orders', 'pax'];

/** The figures that may be left out, with their defaults. */
export const OPTIONAL: Readonly<Record<string, number>> = {};

/** All figures of a record in their order, listed independently of the service. */
export const FIGURES = [
  'orders', 'gto', 'gst', 'svc', 'discount', 'pax', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other',
  ...Object.keys(OPTIONAL),
]; // prettier-ignore

/** The fields of a profile whose files have none of them. */
export const NO_FIELDS = Object.fromEntries(
  FIGURES.map((name) => [name, null]),
) as Profile['fields'];

export const AMOUNTS = FIGURES.filter((name) => !COUNTS.includes(name));

/** One valid hourly record; a test states only what matters to it. */
export function record(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    restaurant_id: 101, date: '2025-10-15', hour: 12, orders: 42, gto: 1250.5, gst: 112.55, svc: 125.05, discount: 20,
    pax: 96, cash: 300.5, nets: 150, visa: 500, master: 200, amex: 50, voucher: 30, other: 20, ...OPTIONAL, ...changes,
  }; // prettier-ignore
}

/** A whole day, hours 0 to 23. */
export function day(changes: Record<string, unknown> = {}): Record<string, unknown>[] {
  return Array.from({ length: 24 }, (_, hour) =>
    record({ hour, gto: 100.25 + hour, orders: hour, ...changes }),
  );
}

/** The object less some of its fields. */
export function without(
  object: Record<string, unknown>,
  ...fields: string[]
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}
