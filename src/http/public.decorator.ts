import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const IS_PUBLIC = 'isPublic';

/** How the making of the OpenAPI document recognizes a public route; the document does not have it. */
export const PUBLIC_EXTENSION = 'x-public';

/** Opens a route to clients without a token. */
export function Public(): ClassDecorator & MethodDecorator {
  return applyDecorators(SetMetadata(IS_PUBLIC, true), ApiExtension(PUBLIC_EXTENSION, true));
}
