import { OPTIONAL } from '../support/records.js';

type Figures = Record<string, unknown>;

/** A plain model of one restaurant's day: its hours and what each upload changed. */
export class LedgerModel {
  /** As `GET /api/v1/sales/uploads` lists them, without id and time, the oldest first. */
  readonly uploads: object[] = [];
  private readonly hours = new Map<unknown, Figures>();

  upload(username: string, records: readonly Figures[]): void {
    const changes = byHour(records).flatMap((sent) => {
      const hour = sent['hour'];
      const after = { ...OPTIONAL, ...without(sent, 'restaurant_id', 'date', 'hour') };
      const before = this.hours.get(hour) ?? null;
      if (JSON.stringify(before) === JSON.stringify(after)) return [];
      this.hours.set(hour, after);
      return [{ hour, before, after }];
    });
    this.uploads.push({ username, processed: records.length, changes });
  }

  /** The stored records, by hour. */
  get records(): Figures[] {
    return byHour([...this.hours].map(([hour, figures]) => ({ hour, ...figures })));
  }
}

function byHour(records: readonly Figures[]): Figures[] {
  return [...records].sort((a, b) => Number(a['hour']) - Number(b['hour']));
}

/** The object less some of its fields. */
export function without(object: Figures, ...fields: string[]): Figures {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}
