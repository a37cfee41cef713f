import { type Entry, groupBy } from './entry.js';

/** Hours from which on a restaurant may go on after midnight, and until which. */
const EVENING = 18;
const MORNING = 6;

/** Hours of a clock without am and pm that are rather of the afternoon where these are of the day. */
const LUNCH_END = 4;
const MORNING_BEGIN = 9;
const AFTERNOON_QUESTION =
  'is it in the afternoon? Export the hours with am and pm, or as 13; if it is of the night or the morning, say day_begins: 0 in the profile';

/** Rows that are not quite in the order of time fall by no more hours than this. */
const SMALL_FALL = 3;

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
  const early = entries.find(({ hour }) => hour > 0 && hour <= LUNCH_END);
  if (asks.afternoon && !hasHalves && early && entries.some(({ hour }) => hour >= MORNING_BEGIN))
    return `line ${early.line}: hour ${early.hour}, and none is above 12: ${AFTERNOON_QUESTION}`;
  const lists = listsOf(entries);
  if (goDown(lists)) for (const list of lists) list.reverse();
  for (const list of lists) {
    const falls = fallsOf(list);
    const [afternoon, ...more] = falls;
    const beginsAgain = more.length === 0 && afternoon && afternoon.entry.hour < list[0]!.hour;
    if (asks.afternoon && beginsAgain && !hasHalves)
      return `${described(afternoon)}: ${AFTERNOON_QUESTION}`;
    const night = falls.find(({ above, entry }) => above.hour >= EVENING && entry.hour < MORNING);
    if (asks.nextDay && night)
      return `${described(night)} of ${night.entry.date}: is it of the next day? Say in the profile when the day begins (day_begins: 6, or 0 if the date is right)`;
  }
  return undefined;
}

interface Fall {
  readonly above: Entry;
  readonly entry: Entry;
}

const described = ({ above, entry }: Fall): string =>
  `line ${entry.line}: hour ${entry.hour} follows hour ${above.hour}`;

/** Returns the rows of each day and till, also apart by what adds up unless each row has its own. */
function listsOf(entries: readonly Entry[]): Entry[][] {
  const ofDay = ({ restaurant, till, date }: Entry): string => `${restaurant}\n${till}\n${date}`;
  const lists = groupBy(entries, (each) => `${ofDay(each)}\n${each.part.replace(/^\d+/, '')}`);
  const areReceipts = lists.length * 2 > entries.length;
  return areReceipts ? groupBy(entries, ofDay) : lists;
}

/** Whether the rows have the latest first. */
function goDown(lists: readonly (readonly Entry[])[]): boolean {
  const steps = lists.flatMap((list) =>
    list.slice(1).map((entry, index) => entry.hour - list[index]!.hour),
  );
  const smallFalls = steps.filter((step) => step < 0 && step >= -SMALL_FALL);
  return smallFalls.length > steps.filter((step) => step > 0).length;
}

/** Returns where the hour becomes much smaller from row to row. */
function fallsOf(list: readonly Entry[]): Fall[] {
  return list
    .slice(1)
    .map((entry, index) => ({ above: list[index]!, entry }))
    .filter(({ above, entry }) => above.hour - entry.hour > SMALL_FALL);
}
