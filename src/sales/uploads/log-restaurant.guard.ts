import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

interface SentBody {
  readonly records?: readonly ({ readonly restaurant_id?: unknown } | null)[];
}

/** Names the restaurant in the log line of each upload, also of one whose fields are not valid. */
@Injectable()
export class LogRestaurantGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { body } = http.getRequest<Request<object, unknown, SentBody | null>>();
    const id = body?.records?.[0]?.restaurant_id;
    if (Number.isSafeInteger(id))
      http.getResponse<Response>().locals.logFields['restaurant'] = Number(id);
    return true;
  }
}
