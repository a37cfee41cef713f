import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const IS_PUBLIC = 'isPublic';

/** Marks a public route for the making of the OpenAPI document, which leaves the mark out. */
export const PUBLIC_EXTENSION = 'x-public';

/** Opens a route to clients without a token. */
export function Public(): ClassDecorator & MethodDecorator {
  return applyDecorators(SetMetadata(IS_PUBLIC, true), ApiExtension(PUBLIC_EXTENSION, true));
}
