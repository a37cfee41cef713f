import { addDays, isDate } from '../dates.js';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const DAY = new RegExp(
  `\\b(?:(\\d{4}-\\d\\d-\\d\\d)|(today|yesterday)|(\\d{1,2}) ?(${MONTHS.join('|')})[a-z]*(?: (\\d{4}))?)\\b`,
  'i',
);

/** Finds a day in a text, as `25 Nov`, `25 November 2025`, 2026-11-25 or yesterday, and the rest of the text. */
export function findDay(text: string, today: string): { date?: string; others: string } {
  const [all, iso, word, day, month, year] = DAY.exec(text) ?? [];
  const others = text
    .replace(all ?? '', ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const date = iso ?? (word ? dayOfWord(word, today) : dayOfMonth(today, [day, month, year]));
  return isDate(date) ? { date, others } : { others: text };
}

const dayOfWord = (word: string, today: string): string =>
  /today/i.test(word) ? today : addDays(today, -1);

/** Without a year it is the latest such day that is not in the future. */
function dayOfMonth(
  today: string,
  [day = '', month = '', year]: readonly (string | undefined)[],
): string {
  const number = String(MONTHS.indexOf(month.toLowerCase()) + 1).padStart(2, '0');
  const rest = `-${number}-${day.padStart(2, '0')}`;
  const thisYear = today.slice(0, 4);
  return (year ?? (thisYear + rest <= today ? thisYear : String(Number(thisYear) - 1))) + rest;
}
