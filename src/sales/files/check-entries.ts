import { isBuiltIn, type Profile } from './profile.js';
import { ask, type Question } from './question.js';
import type { TillDay } from './table.js';

/** Asks what the rows of a table say together. */
export function questionsOf(days: readonly TillDay[], { name, hour }: Profile): Question[] {
  const asked = [questionOfRepeated(days)];
  if (!isBuiltIn(name)) asked.push(questionOfDays(days, hour.day_begins));
  if (!isBuiltIn(name) && hour.day_begins === undefined) asked.push(questionOfOrder(days));
  return asked.filter((question) => question !== undefined);
}

/** Two rows of an hour are added up only if the profile says what tells them apart. */
function questionOfRepeated(days: readonly TillDay[]): Question | undefined {
  const pairs: string[] = [];
  for (const { date, entries } of days) {
    const lines = new Map<string, number>();
    for (const { line, hour, part } of entries) {
      const first = lines.get(part) ?? line;
      lines.set(part, first);
      if (first === line) continue;
      const what = /^\d+$/.test(part) ? `${date}, hour ${hour}` : part.replaceAll('\t', ', ');
      pairs.push(`lines ${first} and ${line} are both of ${what}`);
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
function questionOfDays(days: readonly TillDay[], dayBegins?: number): Question | undefined {
  const isSingle = new Set(days.map(({ date }) => date)).size <= 1;
  const isOfMidnight = days.every(({ entries }) => entries.every(({ hour }) => hour === 0));
  if (!isOfMidnight || (isSingle && dayBegins !== undefined)) return undefined;
  const text = 'every row is of hour 0: are these the sums of whole days? Export them by hour';
  return isSingle
    ? ask(DAY_BEGINS, `${text}, or say that the hour is right (day_begins)`, [[0, 'it is right']])
    : ask('hour', text);
}

/**
 * The hours of a day go up. Where they fall once, to hours before the first one, the clock may have
 * 12 hours, or the night may have the date of its evening.
 */
function questionOfOrder(days: readonly TillDay[]): Question | undefined {
  const steps = days.flatMap(({ entries }) =>
    entries.slice(1).map(({ hour }, at) => Math.sign(hour - entries[at]!.hour)),
  );
  const isNewestFirst =
    steps.filter((step) => step < 0).length > Math.max(1, steps.filter((step) => step > 0).length);
  for (const { date, entries } of isNewestFirst ? [] : days) {
    const falls = entries.flatMap(({ hour }, at) =>
      at > 0 && hour < entries[at - 1]!.hour ? [at] : [],
    );
    const [at = 0] = falls;
    const isBefore = entries.slice(at).every(({ hour }) => hour < entries[0]!.hour);
    if (falls.length !== 1 || !isBefore) continue;
    const { line, hour } = entries[at]!;
    return ask(
      DAY_BEGINS,
      `line ${line}: hour ${hour} of ${date} follows hour ${entries[at - 1]!.hour}: is it of the ` +
        'afternoon (export it as 13, or with am and pm), or of the next day (day_begins)?',
      [
        [0, 'the date and the hour are right'],
        ...[3, 4, 5, 6].map((end) => [end, `hours before ${end}:00 are of the next day`] as const),
      ],
    );
  }
  return undefined;
}
