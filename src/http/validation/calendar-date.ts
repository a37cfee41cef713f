/** The last day that was checked: the records of an upload name the same one 24 times. */
let lastValid = '0001-01-01';

/** Says whether a value is a day that exists, as YYYY-MM-DD. */
export function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  if (value === lastValid) return true;
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || value < '0001') return false;
  const time = Date.parse(value);
  // 31 April becomes 1 May, or not a time.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value) return false;
  lastValid = value;
  return true;
}
