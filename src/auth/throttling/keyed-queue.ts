/** Runs one job of a key at a time. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<unknown>>();
  private waiting = 0;

  constructor(private readonly maxWaiting: number) {}

  /** Undefined if too many jobs wait. */
  async run<Result>(key: string, job: () => Promise<Result>): Promise<Result | undefined> {
    const previous = this.last.get(key);
    if (previous && this.waiting >= this.maxWaiting) return undefined;
    const result = previous ? this.runAfter(previous, job) : job();
    const settled = result.catch(() => undefined);
    this.last.set(key, settled);
    void settled.then(() => this.last.get(key) === settled && this.last.delete(key));
    return result;
  }

  private async runAfter<Result>(previous: Promise<unknown>, job: () => Promise<Result>): Promise<Result> {
    this.waiting++;
    await previous.finally(() => this.waiting--);
    return job();
  }
}
