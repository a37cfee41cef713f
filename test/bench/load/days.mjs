const DAY_MS = 86_400_000;
const FRESH_FROM = Date.UTC(2000, 0, 1);
export const COUNTS = ['orders', 'pax'];
export const FIELDS =
  'orders gto gst svc discount pax cash nets visa master amex voucher other'.split(' ');

/** The upload of which ready texts are made; its restaurant and its date are replaced in them. */
export const SAMPLE = { restaurant: 10_001, date: '2025-10-15' };

/** Bodies that differ in every value. */
export const VARIANTS = 8;

/** The restaurant, day and values of the n-th upload: `fresh` no day twice; `overwrite` the same days, each time with other values. */
export function nthUpload({ pattern, restaurants }, n) {
  const restaurant = restaurants.first + (n % restaurants.count);
  const turn = Math.floor(n / restaurants.count);
  if (pattern === 'fresh') return { restaurant, date: dateOf(turn), variant: n % VARIANTS };
  const days = Math.max(1, Math.round(256 / restaurants.count));
  const variant = Math.floor(turn / days) % VARIANTS;
  return { restaurant, date: dateOf((turn % days) - 100), variant };
}

/** The 24 records of a day, in the contract's order of fields. */
export function recordsOf({ restaurant, date, variant }) {
  return Array.from({ length: 24 }, (_, hour) => {
    const values = FIELDS.map((name, index) => [
      name,
      valueOf(name, hour * 131 + variant * 1009 + index * 17),
    ]);
    return { restaurant_id: restaurant, date, hour, ...Object.fromEntries(values) };
  });
}

function valueOf(name, seed) {
  return COUNTS.includes(name) ? 10 + (seed % 90) : (1000 * 100 + ((seed * 7919) % 800_000)) / 100;
}

function dateOf(day) {
  return new Date(FRESH_FROM + day * DAY_MS).toISOString().slice(0, 10);
}
