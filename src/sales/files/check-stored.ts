import { type Figures, SALES_FIELDS } from '../fields/sales-fields.js';
import type { PlannedDay } from './add-up.js';
import { differenceOf, type ImportSource } from './import-source.js';

/** What the service says about an upload before it is saved. */
export interface DayPreview {
  readonly stored: readonly {
    readonly hour: number | string;
    readonly source: string | null;
    readonly import: ImportSource | null;
    readonly uploaded_at: string;
  }[];
  readonly changes: readonly {
    readonly hour: number | string;
    readonly before: Partial<Figures<unknown>> | null;
  }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** Uploads that imports of earlier releases made have a text that names a file. */
const NAMES_A_FILE = /\.[a-z0-9]{1,5}…?$/i;

/** Says where a stored hour belongs if it is not of this source; undefined if it may be replaced. */
function strangerOf(
  { source, import: stored }: DayPreview['stored'][number],
  own: ImportSource,
): string | undefined {
  if (stored) {
    const missing = stored.tills.filter((till) => !own.tills.includes(till));
    const from = `${source === null ? '' : `${source}, `}by the profile ${stored.profile}`;
    if (differenceOf(own, stored)) return from;
    return missing.length > 0 ? `${from}, also of till ${missing.join(', ')}` : undefined;
  }
  if (source === null) return 'an upload of a till or a person';
  return NAMES_A_FILE.test(source) ? undefined : `an upload from ${source}`;
}

/** Says why stored hours must not be replaced by this day unless a person says so. */
export function reasonsToAsk(
  { source, fields }: Pick<PlannedDay, 'source' | 'fields'>,
  { stored, changes }: DayPreview,
): string[] {
  const changed = new Set(changes.flatMap(({ hour, before }) => (before ? [String(hour)] : [])));
  const strangers = new Map<string, string[]>();
  for (const each of stored.filter(({ hour }) => changed.has(String(hour)))) {
    const stranger = strangerOf(each, source);
    if (stranger === undefined) continue;
    const when = each.uploaded_at.slice(0, 16).replace('T', ' ');
    const text = `${stranger}, uploaded at ${when} UTC`;
    strangers.set(text, [...(strangers.get(text) ?? []), String(each.hour)]);
  }
  const lost = SALES_FIELDS.filter(({ name }) => !fields.includes(name)).flatMap(
    ({ name, kind }) => {
      const having = changes.filter(({ before }) => Number(before?.[name] ?? 0) !== 0);
      if (having.length === 0) return [];
      const sum = having.reduce((all, { before }) => all + Number(before![name]), 0);
      const shown = kind === 'count' ? String(sum) : sum.toFixed(2);
      const hours = having.map(({ hour }) => hour).join(', ');
      return [`${name} ${shown} -> 0: not in this file (hours ${hours})`];
    },
  );
  const from = [...strangers].map(
    ([text, hours]) => `hours ${hours.join(', ')} are stored from ${text}`,
  );
  return [...from, ...lost];
}

/** Returns what a person should know of a day before or after it is saved. */
export function warningsOf(
  { records, fields, checkedBy }: Pick<PlannedDay, 'records' | 'fields' | 'checkedBy'>,
  { stored, warnings }: Pick<DayPreview, 'stored' | 'warnings'>,
): string[] {
  const sent = records.map(({ hour }) => String(hour));
  const kept = stored.map(({ hour }) => String(hour)).filter((hour) => !sent.includes(hour));
  const hasPayments = SALES_FIELDS.some((field) => field.isPayment && fields.includes(field.name));
  const said = warnings
    .filter(({ code }) => hasPayments || code !== 'payments_differ')
    .map(({ message }) => message);
  if (kept.length > 0)
    said.push(`hours stored before that are not in the file stay as they are: ${kept.join(', ')}`);
  if (checkedBy === undefined) said.push('not checked against a total');
  return said;
}
