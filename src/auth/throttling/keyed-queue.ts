/** Does the works of one key one after the other, in the order in which they came; those of different keys at once. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<unknown>>();
  private waiting = 0;

  constructor(private readonly maxWaiting: number) {}

  /** What the work gives; undefined where it would have to wait and too many wait already. */
  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const before = this.last.get(key);
    if (before && this.waiting >= this.maxWaiting) return undefined;
    const mine = before ? this.after(before, work) : work();
    const over = mine.catch(() => undefined);
    this.last.set(key, over);
    void over.then(() => this.last.get(key) === over && this.last.delete(key));
    return mine;
  }

  private async after<Result>(before: Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
    this.waiting++;
    await before.finally(() => this.waiting--);
    return work();
  }
}
