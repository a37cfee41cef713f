import { applyDecorators } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import type { ErrorStatus } from './error-responses.js';

/** Documents a route's success body (undefined: none; a media type: a file) and own errors; those of any route are added. */
export function ApiResponses(
  body: (new () => object) | `${string}/${string}` | undefined,
  ...errors: ErrorStatus[]
): MethodDecorator {
  return applyDecorators(successOf(body), ...errors.map((status) => ApiResponse({ status })));
}

function successOf(body: (new () => object) | string | undefined): MethodDecorator {
  if (body === undefined) return ApiNoContentResponse();
  if (typeof body !== 'string') return ApiOkResponse({ type: body });
  return ApiOkResponse({ content: { [body]: { schema: { type: 'string' } } } });
}
