import { type Entry, keyOf } from './entry.js';
import { ask, type Question } from './question.js';

/** Asks what the rows of a table say together. */
export function questionsOf(
  entries: readonly Entry[],
  asks: { readonly days: boolean; readonly order: boolean },
): Question[] {
  const found = [
    questionOfRepeated(entries),
    asks.days ? questionOfDays(entries) : undefined,
    asks.order ? questionOfOrder(entries) : undefined,
  ];
  return found.filter((question) => question !== undefined);
}

/** Two rows of an hour are added up only if the profile says what tells them apart. */
function questionOfRepeated(entries: readonly Entry[]): Question | undefined {
  const earlier = new Map<string, Entry>();
  const pairs: (readonly [Entry, Entry])[] = [];
  for (const entry of entries) {
    const first = earlier.get(keyOf(entry));
    if (first) pairs.push([first, entry]);
    else earlier.set(keyOf(entry), entry);
  }
  const texts = pairs.slice(0, 3).map(([one, { line, date, hour, part }]) => {
    const what = /^\d+$/.test(part) ? `${date}, hour ${hour}` : part.replaceAll('\t', ', ');
    return `lines ${one.line} and ${line} are both of ${what}`;
  });
  const more = pairs.length > texts.length ? `, and ${pairs.length - texts.length} more pairs` : '';
  const advice = 'is it there twice? If they add up, say what tells them apart (add_up)';
  return texts.length > 0 ? ask('add_up', `${texts.join(', ')}${more}: ${advice}`) : undefined;
}

/** Rows of midnight alone are what a report by day writes beside its dates. */
function questionOfDays(entries: readonly Entry[]): Question | undefined {
  const isMidnight = entries.every(({ hour }) => hour === 0);
  const dates = new Set(entries.map(({ date }) => date));
  return isMidnight && dates.size > 1
    ? ask('hour', 'every row is of hour 0: are these the sums of whole days? Export them by hour')
    : undefined;
}

/** A fall by less is that of a receipt which was closed late. */
const SMALL_FALL = 3;

/**
 * The hours of a day go up. Where they fall once, to hours before the first one, the clock may have
 * 12 hours, or the night may have the date of its evening.
 */
function questionOfOrder(entries: readonly Entry[]): Question | undefined {
  const days = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = `${entry.restaurant}\n${entry.till}\n${entry.date}`;
    const day = days.get(key);
    if (day) day.push(entry);
    else days.set(key, [entry]);
  }
  const lists = [...days.values()].map((day) => ({
    day,
    falls: day.flatMap(({ hour }, at) => (at > 0 && hour < day[at - 1]!.hour ? [at] : [])),
    rises: day.filter(({ hour }, at) => at > 0 && hour > day[at - 1]!.hour).length,
  }));
  const fallCount = lists.reduce((sum, { falls }) => sum + falls.length, 0);
  const isNewestFirst =
    fallCount > 1 && fallCount > lists.reduce((sum, { rises }) => sum + rises, 0);
  for (const { day, falls } of isNewestFirst ? [] : lists) {
    const [at = 0] = falls;
    const isBefore = day.slice(at).every(({ hour }) => hour < day[0]!.hour);
    const [above, entry] = [day[at - 1], day[at]!];
    if (falls.length !== 1 || !isBefore || !above || above.hour - entry.hour <= SMALL_FALL)
      continue;
    return ask(
      'hour.day_begins',
      `line ${entry.line}: hour ${entry.hour} of ${entry.date} follows hour ${above.hour}: is it of the ` +
        'afternoon (export it as 13, or with am and pm), or of the next day (day_begins)?',
      [
        [0, 'the date and the hour are right'],
        ...[3, 4, 5, 6].map(
          (hour) => [hour, `hours before ${hour}:00 are of the next day`] as const,
        ),
      ],
    );
  }
  return undefined;
}
