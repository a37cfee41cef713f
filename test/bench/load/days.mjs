import { SALES_FIELDS } from '../../../dist/src/sales/fields/sales-fields.js';

const DAY_MS = 86_400_000;
const FRESH_FROM = Date.UTC(2000, 0, 1);

/** The upload of which ready texts are made; its restaurant and its date are replaced in them. */
export const SAMPLE = { restaurant: 10_001, date: '2025-10-15' };

/** The latest of the days that the growth scenario fills in, none of which another pattern touches. */
export const OLD_DAYS_FROM = dateOf(-800);

/** Bodies that differ in every value. */
export const VARIANTS = 8;

/**
 * Which restaurant, day and values the n-th upload has, by pattern:
 * `fresh` no day twice; `overwrite` the same days over and over, each time with other values; `resend` the same again;
 * `scattered` any of the old days.
 */
export function nthUpload({ pattern, restaurants, oldDays }, n) {
  const restaurant = restaurants.first + (n % restaurants.count);
  const turn = Math.floor(n / restaurants.count);
  if (pattern === 'fresh') return { restaurant, date: dateOf(turn), variant: n % VARIANTS };
  if (pattern === 'scattered')
    return { restaurant, date: dateOf(-800 - ((turn * 7919) % oldDays)), variant: 1 + (n % 7) };
  const days = Math.max(1, Math.round(256 / restaurants.count));
  const variant = pattern === 'resend' ? 0 : Math.floor(turn / days) % VARIANTS;
  return { restaurant, date: dateOf((turn % days) - (pattern === 'resend' ? 500 : 100)), variant };
}

/** The 24 records of a day, in the contract's order of fields. */
export function recordsOf({ restaurant, date, variant }) {
  return Array.from({ length: 24 }, (_, hour) => {
    const values = SALES_FIELDS.map(({ name, kind }, index) => [
      name,
      valueOf(kind, hour * 131 + variant * 1009 + index * 17),
    ]);
    return { restaurant_id: restaurant, date, hour, ...Object.fromEntries(values) };
  });
}

function valueOf(kind, seed) {
  return kind === 'count' ? 10 + (seed % 90) : (1000 * 100 + ((seed * 7919) % 800_000)) / 100;
}

function dateOf(day) {
  return new Date(FRESH_FROM + day * DAY_MS).toISOString().slice(0, 10);
}
