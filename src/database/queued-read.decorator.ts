import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { DatabaseConfig } from '../config/database.config.js';
import { Overloaded } from '../http/errors/http.errors.js';

const MAX_WAITING_OF_USER = 32;
const MAX_WAITING = 256;

/** Runs reads on a quarter of the connections, the users in turn: writes need the others. */
@Injectable()
export class ReadQueue {
  /** Functions that start the waiting reads, by user; the first user is next. */
  private readonly waiting = new Map<number | undefined, (() => void)[]>();
  private running = 0;

  constructor(private readonly config: DatabaseConfig) {}

  /** Runs a read in its turn; rejects it if it waited so long that its response would be late. */
  async run<Result>(userId: number | undefined, read: () => Promise<Result>): Promise<Result> {
    const own = this.waiting.get(userId) ?? [];
    const all = [...this.waiting.values()].flat();
    if (own.length === MAX_WAITING_OF_USER || all.length === MAX_WAITING) throw new Overloaded();
    const latest = performance.now() + 0.3 * this.config.RESPONSE_TIMEOUT_MS;
    await new Promise<void>((start) => {
      this.waiting.set(userId, [...own, start]);
      this.startNext();
    });
    try {
      if (performance.now() > latest) throw new Overloaded();
      return await read();
    } finally {
      this.running--;
      this.startNext();
    }
  }

  private startNext(): void {
    const [next] = this.waiting;
    if (!next || this.running >= Math.ceil(this.config.DATABASE_POOL_MAX / 4)) return;
    const [userId, [start, ...others]] = next;
    this.waiting.delete(userId);
    if (others.length > 0) this.waiting.set(userId, others);
    this.running++;
    start!();
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
