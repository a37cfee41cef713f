import type { PlannedDay } from './add-up.js';
import { foreignTills } from './upload-source-text.js';

/** Where an hour belongs: the profile and the tills of the import that wrote it. */
export interface ImportSource {
  readonly profile: string;
  readonly tills: readonly string[];
}

/** What the service says about an upload before it is saved. */
export interface DayPreview {
  readonly stored: readonly { readonly hour: number | string; readonly source: string | null }[];
  readonly changes: readonly {
    readonly hour: number | string;
    readonly before: { readonly gto?: number | string } | null;
    readonly after: { readonly gto?: number | string };
  }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** Says why hours that are stored must not be replaced by this day; undefined if they may. */
export function findForeignTills(
  { tills }: Pick<PlannedDay, 'tills'>,
  { stored }: DayPreview,
): string | undefined {
  const foreign = new Set(stored.flatMap(({ source }) => foreignTills(source, tills)));
  if (foreign.size === 0) return undefined;
  return (
    `hours are stored from other tills (${[...foreign].join(', ')}): import the files of all tills ` +
    'together, or let these figures replace the stored ones'
  );
}

/** Returns what a person should know of a day before or after it is saved. */
export function warningsOf(
  day: Pick<PlannedDay, 'records' | 'hasPayments'>,
  { stored, changes, warnings }: DayPreview,
): string[] {
  const sent = new Set(day.records.map(({ hour }) => String(hour)));
  const kept = stored.map(({ hour }) => String(hour)).filter((hour) => !sent.has(hour));
  const smaller = changes.flatMap(({ hour, before, after }) =>
    before && Number(after.gto) < Number(before.gto) ? [String(hour)] : [],
  );
  const said = warnings.filter(({ code }) => day.hasPayments || code !== 'payments_differ');
  return [
    ...said.map(({ message }) => message),
    ...(smaller.length > 0
      ? [`hours whose turnover becomes smaller than what is stored: ${smaller.join(', ')}`]
      : []),
    ...(kept.length > 0
      ? [`hours stored before that are not in the file stay as they are: ${kept.join(', ')}`]
      : []),
  ];
}
