import { applyDecorators } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiResponse } from '@nestjs/swagger';

/** Documents the success body, undefined for none, and the route's errors beside those of any. */
export function ApiResponses(
  body: (new () => object) | undefined,
  ...errors: number[]
): MethodDecorator {
  const success = body ? ApiOkResponse({ type: body }) : ApiNoContentResponse();
  return applyDecorators(success, ...errors.map((status) => ApiResponse({ status })));
}
