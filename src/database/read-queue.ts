import { Injectable } from '@nestjs/common';
import { DatabaseConfig } from '../config/database.config.js';
import { gauge } from '../metrics/gauge.js';
import { Overloaded } from '../http/errors/http.errors.js';

/** Number of reads that wait or run at most. */
const MAX_READS = 32;

interface Read {
  readonly start: () => Promise<void>;
  readonly reject: (error: Error) => void;
}

/** Runs reads on a quarter of the connections, the users in turn: writes need the others. */
@Injectable()
export class ReadQueue {
  /** Waiting reads by user; the first user is next. */
  private readonly waiting = new Map<number | undefined, Read[]>();
  private running = 0;

  constructor(private readonly config: DatabaseConfig) {
    gauge('queued_reads_waiting', 'Reads that wait for their turn', () => this.count);
  }

  /** Adds a read; when there are too many, the user with the most loses the newest. */
  run<Result>(userId: number | undefined, read: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const reads = this.waiting.get(userId) ?? [];
      reads.push({ start: () => read().then(resolve, reject), reject });
      this.waiting.set(userId, reads);
      this.startNext();
      if (this.running + this.count > MAX_READS) this.rejectOne();
    });
  }

  private get count(): number {
    return [...this.waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  private startNext(): void {
    const [next] = this.waiting;
    if (!next || this.running >= Math.ceil(this.config.DATABASE_POOL_MAX / 4)) return;
    const [userId, [read, ...others]] = next;
    this.waiting.delete(userId);
    if (others.length > 0) this.waiting.set(userId, others);
    this.running++;
    void read!.start().finally(() => {
      this.running--;
      this.startNext();
    });
  }

  private rejectOne(): void {
    const all = [...this.waiting];
    const [userId, most] = all.reduce((one, other) =>
      other[1].length >= one[1].length ? other : one,
    );
    most.pop()!.reject(new Overloaded());
    if (most.length === 0) this.waiting.delete(userId);
  }
}
