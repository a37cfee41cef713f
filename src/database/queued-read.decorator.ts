import {
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { ReadQueue } from './read-queue.js';

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
