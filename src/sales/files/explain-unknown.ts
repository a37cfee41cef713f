import { hasHeadings, missingHeadings, requiredColumns } from './find-columns.js';
import type { BuiltInProfile } from './profile.js';
import { isBlank, type Row } from './table.js';

const MAX_ROWS = 60;

/** Says why no profile knows a file, without any cell of it: it may hold a password. */
export function explainUnknown(rows: readonly Row[], profiles: readonly BuiltInProfile[]): string {
  const start = rows.slice(0, MAX_ROWS).filter((row) => !isBlank(row));
  if (start.length === 0) return 'the file is empty';
  const nearest = nearestOf(start, profiles);
  if (nearest)
    return `columns are missing: ${nearest.missing.join(', ')} (of the profile ${nearest.name})`;
  return (
    'no profile knows its headings: make one for this source if it has a row for each hour of a ' +
    'day, or else export the sales by hour'
  );
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
