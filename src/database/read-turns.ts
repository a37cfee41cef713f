import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Overloaded } from '../http/errors/http.errors.js';
import { ReportsDatabase } from './reports-database.js';

const AT_ONCE = 2;
const MAX_WAITING = 32;

/** Runs two reads of a user at once; the others wait in turn, unless they would be late. */
@Injectable()
export class ReadTurns implements NestInterceptor {
  /** How many reads of a user run, and functions that start those that wait. */
  private readonly users = new Map<number, { running: number; waiting: (() => void)[] }>();

  constructor(private readonly database: ReportsDatabase) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { user } = context.switchToHttp().getRequest<{ user: { readonly userId: number } }>();
    return from(this.run(user.userId, () => lastValueFrom(next.handle())));
  }

  async run<Result>(userId: number, read: () => Promise<Result>): Promise<Result> {
    await this.begin(userId);
    return read().finally(() => this.end(userId));
  }

  private async begin(userId: number): Promise<void> {
    const reads = this.users.get(userId) ?? { running: 0, waiting: [] };
    this.users.set(userId, reads);
    if (reads.running < AT_ONCE) {
      reads.running++;
      return;
    }
    if (reads.waiting.length === MAX_WAITING) throw new Overloaded();
    const latest = performance.now() + this.database.limits.queue;
    await new Promise<void>((start) => reads.waiting.push(start));
    if (performance.now() <= latest) return;
    this.end(userId);
    throw new Overloaded();
  }

  /** Lets the next read run in place of one that has ended. */
  private end(userId: number): void {
    const reads = this.users.get(userId)!;
    const start = reads.waiting.shift();
    if (start) start();
    else if (--reads.running === 0) this.users.delete(userId);
  }
}
