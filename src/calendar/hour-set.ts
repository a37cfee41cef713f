export const HOURS_PER_DAY = 24;

/** All hours of a day. A set of hours is a number whose bit h stands for hour h. */
export const ALL_HOURS = 2 ** HOURS_PER_DAY - 1;

/** The hours of a day, 0 to 23. */
export const HOURS = Array.from({ length: HOURS_PER_DAY }, (_, hour) => hour);

/** 1 for Monday to 7 for Sunday. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** How the hours of a day are written, for messages. */
export const HOURS_FORM =
  'full hours such as 11:00-22:00, past midnight 18:00-24:00,00:00-02:00, and the word none for a day off';

/** How the hours of an evening are written, for messages. */
export const EVENING_FORM =
  'full hours such as 11:00-22:00, past midnight 18:00-02:00, and the word none for a day off';

/** Hours of a day, and those of the next day in which its evening goes on. */
export interface Evening {
  readonly hours: number;
  readonly nextDay: number;
}

/** Returns the hours of a set, ascending. */
export function listHours(set: number): number[] {
  return HOURS.filter((hour) => ((set >> hour) & 1) === 1);
}

export function countHours(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Reads a set of hours in HOURS_FORM; undefined if the text is not one. */
export function parseHours(text: string): number | undefined {
  const evening = parseEvening(text);
  return evening?.nextDay === 0 ? evening.hours : undefined;
}

/** Reads hours in EVENING_FORM or HOURS_FORM; undefined if the text is neither. */
export function parseEvening(text: string): Evening | undefined {
  let [hours, nextDay] = [0, 0];
  if (text === 'none') return { hours, nextDay };
  for (const range of text.split(/\s*,\s*/)) {
    const [, from, to] = /^(\d{1,2}):00-(\d{1,2}):00$/.exec(range) ?? [];
    const [first, end] = [Number(from), Number(to)];
    const isPastMidnight = 0 < end && end < first;
    if (!((first < end || isPastMidnight) && Math.max(first, end) <= HOURS_PER_DAY))
      return undefined;
    hours |= 2 ** (isPastMidnight ? HOURS_PER_DAY : end) - 2 ** first;
    if (isPastMidnight) nextDay |= 2 ** end - 1;
  }
  return { hours, nextDay };
}

/** Writes a set of hours as `parseHours` reads it, but no hours as an empty text. */
export function formatHours(set: number): string {
  const hours = listHours(set);
  const firsts = hours.filter((hour) => !hours.includes(hour - 1));
  const lasts = hours.filter((hour) => !hours.includes(hour + 1));
  const ranges = firsts.map((first, index) => `${clock(first)}-${clock(lasts[index]! + 1)}`);
  // An evening that goes on past midnight begins with its hours before it.
  if (firsts.length > 1 && firsts[0] === 0 && lasts.at(-1) === HOURS_PER_DAY - 1)
    ranges.push(ranges.shift()!);
  return ranges.join(',');
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

const WEEKDAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Writes the hours of a week, Monday first, for people: `Mon off; Tue-Sun 11:00-22:00`. */
export function formatWeek(weeklyHours: readonly number[]): string {
  const firsts = [...weeklyHours.keys()].filter((day) => weeklyHours[day] !== weeklyHours[day - 1]);
  const parts = firsts.map((first, index) => {
    const last = (firsts[index + 1] ?? weeklyHours.length) - 1;
    const days = first === last ? [first] : [first, last];
    const names = days.map((day) => WEEKDAY_NAMES[day]).join('-');
    return `${names} ${formatHours(weeklyHours[first]!) || 'off'}`;
  });
  return parts.join('; ');
}

/** Reads weekdays such as `fri,sat`, 1 for Monday; undefined if the text is not that. */
export function parseWeekdays(text: string): number[] | undefined {
  const days = text.split(/\s*,\s*/).map((name) => {
    return WEEKDAY_NAMES.findIndex((weekday) => weekday.toLowerCase() === name.toLowerCase()) + 1;
  });
  return days.includes(0) ? undefined : days;
}
