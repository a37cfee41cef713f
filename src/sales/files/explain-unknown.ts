import { hasHeadings, missingHeadings, requiredColumns } from './find-columns.js';
import type { BuiltInProfile } from './profile.js';
import { ordersOf } from './read-dates.js';
import { isBlank, type Row, textOf } from './table.js';

const MAX_ROWS = 60;
const HOUR = /^(\d{1,2}|\d{1,2}00)$|^\d{1,2}:\d\d|\d\s*[ap]\.?m\b|\s\d{1,2}:\d\d/i;
const WEEKDAY = /^(mon|tue|wed|thu|fri|sat|sun)/i;

/** Says why no profile knows a file, without any cell of it: it may hold a password. */
export function explainUnknown(rows: readonly Row[], profiles: readonly BuiltInProfile[]): string {
  const start = rows.slice(0, MAX_ROWS).filter((row) => !isBlank(row));
  if (start.length === 0) return 'the file is empty';
  if (isFixedWidth(start))
    return 'its columns are separated by blanks alone: export it as CSV or as an Excel file (xlsx), or make a profile with the separator " "';
  if (start.some(isMatrixHeading))
    return 'it has no row for an hour: hours go down and days go across; export a list with a row for each hour of a day';
  if (!hasHours(start))
    return 'it has no column of hours, and figures of a whole day cannot be split: export the sales by hour';
  const nearest = nearestOf(start, profiles);
  if (nearest)
    return `columns are missing: ${nearest.missing.join(', ')} (of the profile ${nearest.name})`;
  return 'no profile knows its headings: make a profile for this source';
}

/** Whether most rows are one cell with wide gaps, as reports for printers are. */
function isFixedWidth(rows: readonly Row[]): boolean {
  const wide = rows.filter(({ cells }) => {
    const gaps =
      cells
        .map(textOf)
        .join()
        .match(/\S {2,}(?=\S)/g) ?? [];
    return gaps.length > 1;
  });
  return wide.length > 2 && wide.length * 2 > rows.length;
}

/** The profile of which at least half of the headings are there. */
function nearestOf(rows: readonly Row[], profiles: readonly BuiltInProfile[]) {
  return profiles
    .filter(hasHeadings)
    .map((profile) => {
      const [missing = []] = missingHeadings(rows, profile).sort((a, b) => a.length - b.length);
      const { length } = requiredColumns(profile);
      return { name: profile.name, missing, share: 1 - missing.length / length };
    })
    .filter(({ share, missing }) => share >= 0.5 && missing.length > 0)
    .sort((one, other) => other.share - one.share)[0];
}

/** Whether a row names several days: dates or days of the week. */
function isMatrixHeading({ cells }: Row): boolean {
  const texts = cells.map(textOf);
  const dates = texts.filter(
    (text) => /\D/.test(text) && text.length >= 6 && ordersOf([text]).length > 0,
  );
  const weekdays = new Set(texts.filter((text) => WEEKDAY.test(text) && text.length <= 9));
  return dates.length > 2 || weekdays.size > 2;
}

function hasHours(rows: readonly Row[]): boolean {
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, index) => index).some((index) => {
    const texts = rows.map(({ cells }) => textOf(cells[index])).filter((text) => text !== '');
    const hours = texts.filter((text) => HOUR.test(text));
    return hours.length >= 1 && hours.length * 2 >= texts.length;
  });
}
