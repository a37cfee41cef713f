import { applyDecorators } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import type { ErrorStatus } from './error-responses.js';

/** Documents a route's success body, undefined for none, and its own errors; those of any route are added. */
export function ApiResponses(
  body: (new () => object) | undefined,
  ...errors: ErrorStatus[]
): MethodDecorator {
  const success = body ? ApiOkResponse({ type: body }) : ApiNoContentResponse();
  return applyDecorators(success, ...errors.map((status) => ApiResponse({ status })));
}
