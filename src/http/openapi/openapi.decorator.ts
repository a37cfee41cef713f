import { applyDecorators, type Type } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiResponse } from '@nestjs/swagger';

/** Documents a route's success body, undefined for none, and its errors beside those of any. */
export function ApiResponses(body: Type | undefined, ...errors: number[]): MethodDecorator {
  const success = body ? ApiOkResponse({ type: body }) : ApiNoContentResponse();
  return applyDecorators(success, ...errors.map((status) => ApiResponse({ status })));
}
