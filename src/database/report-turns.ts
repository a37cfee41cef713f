import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import { Overloaded } from '../http/errors/http.errors.js';
import { ReportsDatabase } from './reports-database.js';

const AT_ONCE = 2;
const MAX_WAITING = 32;

/** Runs two reports of a user at once; the others wait in turn, unless they would be late. */
@Injectable()
export class ReportTurns implements NestInterceptor {
  /** How many reports of a user run, and functions that start those that wait. */
  private readonly users = new Map<number, { running: number; waiting: (() => void)[] }>();

  constructor(private readonly database: ReportsDatabase) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { user } = context.switchToHttp().getRequest<{ user: { readonly userId: number } }>();
    await this.begin(user.userId);
    return next.handle().pipe(finalize(() => this.end(user.userId)));
  }

  private async begin(userId: number): Promise<void> {
    const reports = this.users.get(userId) ?? { running: 0, waiting: [] };
    this.users.set(userId, reports);
    if (reports.running < AT_ONCE) {
      reports.running++;
      return;
    }
    if (reports.waiting.length === MAX_WAITING) throw new Overloaded();
    const latest = performance.now() + this.database.limits.queue;
    await new Promise<void>((start) => reports.waiting.push(start));
    if (performance.now() <= latest) return;
    this.end(userId);
    throw new Overloaded();
  }

  /** Lets the next report run in place of one that has ended. */
  private end(userId: number): void {
    const reports = this.users.get(userId)!;
    const start = reports.waiting.shift();
    if (start) start();
    else if (--reports.running === 0) this.users.delete(userId);
  }
}
