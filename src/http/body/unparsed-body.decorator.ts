import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const HAS_UNPARSED_BODY = 'hasUnparsedBody';

/** Leaves the body to the route, for `FileInterceptor` or another reader; it sets limits of its own. */
export function UnparsedBody(): CustomDecorator {
  return SetMetadata(HAS_UNPARSED_BODY, true);
}
