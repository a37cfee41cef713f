import { isBuiltIn, type Profile } from './profile.js';
import { ask, type Question } from './question.js';
import type { Entry } from './table.js';

/** Asks what the rows of a table say together. */
export function questionsOf(entries: readonly Entry[], { name, hour }: Profile): Question[] {
  const asked = [questionOfRepeated(entries)];
  if (!isBuiltIn(name)) asked.push(questionOfDays(entries, hour.day_begins));
  if (!isBuiltIn(name) && hour.day_begins === undefined) asked.push(questionOfOrder(entries));
  return asked.filter((question) => question !== undefined);
}

/** Two rows of an hour are added up only if the profile says what tells them apart. */
function questionOfRepeated(entries: readonly Entry[]): Question | undefined {
  const earlier = new Map<string, Entry>();
  const pairs: string[] = [];
  for (const entry of entries) {
    const { line, date, hour, part } = entry;
    const key = `${entry.restaurant}\n${entry.till}\n${date}\n${part}`;
    const first = earlier.get(key);
    if (!first) earlier.set(key, entry);
    else {
      const what = /^\d+$/.test(part) ? `${date}, hour ${hour}` : part.replaceAll('\t', ', ');
      pairs.push(`lines ${first.line} and ${line} are both of ${what}`);
    }
  }
  const more = pairs.length > 3 ? `, and ${pairs.length - 3} more pairs` : '';
  const advice = 'is it there twice? If they add up, say what tells them apart (add_up)';
  return pairs.length > 0
    ? ask('add_up', `${pairs.slice(0, 3).join(', ')}${more}: ${advice}`)
    : undefined;
}

const DAY_BEGINS = 'hour.day_begins';

/** Rows of midnight alone are what a report by day writes beside its dates. */
function questionOfDays(entries: readonly Entry[], dayBegins?: number): Question | undefined {
  const isSingle = new Set(entries.map(({ date }) => date)).size <= 1;
  if (entries.some(({ hour }) => hour !== 0) || (isSingle && dayBegins !== undefined))
    return undefined;
  const text = 'every row is of hour 0: are these the sums of whole days? Export them by hour';
  return isSingle
    ? ask(DAY_BEGINS, `${text}, or say that the hour is right (day_begins)`, [[0, 'it is right']])
    : ask('hour', text);
}

/**
 * The hours of a day go up. Where they fall once, to hours before the first one, the clock may have
 * 12 hours, or the night may have the date of its evening.
 */
function questionOfOrder(entries: readonly Entry[]): Question | undefined {
  const days = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = `${entry.restaurant}\n${entry.till}\n${entry.date}`;
    const day = days.get(key) ?? [];
    days.set(key, day);
    day.push(entry);
  }
  const steps = [...days.values()].flatMap((day) =>
    day.slice(1).map(({ hour }, at) => Math.sign(hour - day[at]!.hour)),
  );
  const isNewestFirst =
    steps.filter((step) => step < 0).length > Math.max(1, steps.filter((step) => step > 0).length);
  for (const day of isNewestFirst ? [] : days.values()) {
    const falls = day.flatMap(({ hour }, at) => (at > 0 && hour < day[at - 1]!.hour ? [at] : []));
    const [at = 0] = falls;
    const isBefore = day.slice(at).every(({ hour }) => hour < day[0]!.hour);
    if (falls.length !== 1 || !isBefore) continue;
    const [above, { line, date, hour }] = [day[at - 1]!, day[at]!];
    return ask(
      DAY_BEGINS,
      `line ${line}: hour ${hour} of ${date} follows hour ${above.hour}: is it of the afternoon ` +
        '(export it as 13, or with am and pm), or of the next day (day_begins)?',
      [
        [0, 'the date and the hour are right'],
        ...[3, 4, 5, 6].map((end) => [end, `hours before ${end}:00 are of the next day`] as const),
      ],
    );
  }
  return undefined;
}
