import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const IS_PUBLIC = 'isPublic';

/** Opens a route to callers without a token; every other route is closed. */
export function Public(): CustomDecorator {
  return SetMetadata(IS_PUBLIC, true);
}
