import { OPTIONAL } from '../support/records.js';

type Figures = Record<string, unknown>;

/** One upload as `GET /api/v1/sales/uploads` lists it, without its id and time. */
export interface ModelUpload {
  readonly username: string;
  readonly processed: number;
  readonly changes: { hour: unknown; before: Figures | null; after: Figures }[];
}

/** A plain model of one restaurant's day: its hours and what each upload changed. */
export class LedgerModel {
  /** Oldest first. */
  readonly uploads: ModelUpload[] = [];
  private readonly hours = new Map<unknown, Figures>();

  upload(username: string, records: readonly Record<string, unknown>[]): void {
    const changes: ModelUpload['changes'] = [];
    for (const sent of byHour(records)) {
      const hour = sent['hour'];
      const after = { ...OPTIONAL, ...without(sent, 'restaurant_id', 'date', 'hour') };
      const before = this.hours.get(hour) ?? null;
      if (before && JSON.stringify(before) === JSON.stringify(after)) continue;
      this.hours.set(hour, after);
      changes.push({ hour, before, after });
    }
    this.uploads.push({ username, processed: records.length, changes });
  }

  /** The stored records, by hour. */
  get records(): Record<string, unknown>[] {
    return byHour([...this.hours].map(([hour, figures]) => ({ hour, ...figures })));
  }
}

function byHour(records: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return [...records].sort((a, b) => Number(a['hour']) - Number(b['hour']));
}

/** The object less some of its fields. */
export function without(
  object: Record<string, unknown>,
  ...fields: string[]
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}
