import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const IS_PUBLIC = 'isPublic';

/** Opens a route to clients without a token. */
export function Public(): CustomDecorator {
  return SetMetadata(IS_PUBLIC, true);
}
