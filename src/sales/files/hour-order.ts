import type { Entry } from './entry.js';

/** Hours from which on a restaurant may go on after midnight, and until which. */
const [EVENING, MORNING] = [18, 6];

/**
 * Asks what only the order of the rows gives away: that a clock has 12 hours and neither am nor pm,
 * or that hours after midnight stand below the evening before, with its date.
 */
export function questionOfOrder(
  entries: readonly Entry[],
  asks: { readonly afternoon: boolean; readonly nextDay: boolean },
): string | undefined {
  if (!asks.afternoon && !asks.nextDay) return undefined;
  const hasHalves = entries.some(({ hour }) => hour === 0 || hour > 12);
  const latest = new Map<string, Entry>();
  for (const entry of entries) {
    const { restaurant, till, date, part, hour, line } = entry;
    const others = part.replace(/^\d+/, '');
    const key = `${restaurant}\n${till}\n${date}\n${others}`;
    const above = latest.get(key);
    latest.set(key, entry);
    if (asks.afternoon && above?.hour === 12 && hour === 1 && !hasHalves)
      return `line ${line}: hour 1 follows hour 12: is it in the afternoon? Export the hours with am and pm, or as 13`;
    if (asks.nextDay && above && above.hour >= EVENING && hour <= MORNING)
      return `line ${line}: hour ${hour} follows hour ${above.hour} of ${date}: is it of the next day? Say in the profile when the day begins (day_begins: 6, or 0 if the date is right)`;
  }
  return undefined;
}
