import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiResponse } from '@nestjs/swagger';

/**
 * Documents a route's success body, undefined for none, and its errors beside those of any. Sets
 * 200, or 204 without a body.
 */
export function ApiResponses(body: Type | undefined, ...errors: number[]): MethodDecorator {
  const success = body ? ApiOkResponse({ type: body }) : ApiNoContentResponse();
  const failures = errors.map((status) => ApiResponse({ status }));
  return applyDecorators(HttpCode(body ? 200 : 204), success, ...failures);
}
