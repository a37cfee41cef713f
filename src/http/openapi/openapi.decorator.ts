import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { RefusalStatus } from './error-responses.js';

const SUMMARY = 'openapi-summary';
const ANSWERS = 'openapi-answers';

/** What a route answers: the class of the body where all went well, and the statuses of its own refusals. */
interface RouteAnswers {
  readonly body: new () => object;
  readonly refusals: readonly RefusalStatus[];
}

/** What the route does, in the OpenAPI document. */
export function Summary(text: string): CustomDecorator {
  return SetMetadata(SUMMARY, text);
}

/**
 * What the route answers, for the OpenAPI document and for the reader of the controller. What the edge may answer to
 * any request (408, 413, 415, 500, 503) goes without saying. Nothing is loaded for it: see `makeOpenApiDocument`.
 */
export function Answers(body: new () => object, ...refusals: RefusalStatus[]): CustomDecorator {
  return SetMetadata(ANSWERS, { body, refusals } satisfies RouteAnswers);
}

export function summaryOf(handler: object): string | undefined {
  return Reflect.getMetadata(SUMMARY, handler) as string | undefined;
}

export function answersOf(handler: object): RouteAnswers | undefined {
  return Reflect.getMetadata(ANSWERS, handler) as RouteAnswers | undefined;
}
