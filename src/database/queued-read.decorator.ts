import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { DatabaseConfig } from '../config/database.config.js';
import { timeLimits } from '../config/time-limits.js';
import { Overloaded } from '../http/errors/http.errors.js';

const MAX_WAITING_OF_USER = 32;
const MAX_WAITING = 256;

/**
 * Runs reads on a quarter of the connections: writes need the others. The users take turns, those of
 * whom no read runs first.
 */
@Injectable()
export class ReadQueue {
  /** Functions that start the waiting reads, by user; the first user is next. */
  private readonly waiting = new Map<number | undefined, (() => void)[]>();
  /** The users of the reads that run, each as often as it has one. */
  private readonly running: (number | undefined)[] = [];

  constructor(private readonly config: DatabaseConfig) {}

  /** Runs a read in its turn; rejects it if it waited so long that its response would be late. */
  async run<Result>(userId: number | undefined, read: () => Promise<Result>): Promise<Result> {
    const own = this.waiting.get(userId) ?? [];
    const all = [...this.waiting.values()].flat();
    if (own.length === MAX_WAITING_OF_USER || all.length === MAX_WAITING) throw new Overloaded();
    const latest = performance.now() + timeLimits(this.config).queue;
    await new Promise<void>((start) => {
      this.waiting.set(userId, [...own, start]);
      this.startNext();
    });
    try {
      if (performance.now() > latest) throw new Overloaded();
      return await read();
    } finally {
      this.running.splice(this.running.indexOf(userId), 1);
      this.startNext();
    }
  }

  private startNext(): void {
    if (this.running.length >= Math.ceil(this.config.DATABASE_POOL_MAX / 4)) return;
    const users = [...this.waiting.keys()];
    const userId = users.find((each) => !this.running.includes(each)) ?? users[0];
    const [start, ...others] = this.waiting.get(userId) ?? [];
    if (!start) return;
    this.waiting.delete(userId);
    if (others.length > 0) this.waiting.set(userId, others);
    this.running.push(userId);
    start();
  }
}

/** Lets a handler wait for its caller's turn. */
@Injectable()
class QueuedReadInterceptor implements NestInterceptor {
  constructor(private readonly queue: ReadQueue) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { user } = context.switchToHttp().getRequest<{ user?: { readonly userId: number } }>();
    return from(this.queue.run(user?.userId, () => lastValueFrom(next.handle())));
  }
}

/** Queues the reads of a controller or route, so that any number of them leaves room for writes. */
export const QueuedRead = (): ClassDecorator & MethodDecorator =>
  UseInterceptors(QueuedReadInterceptor);
