import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const HAS_UNPARSED_BODY = 'hasUnparsedBody';

/** Leaves the body to `FileInterceptor` or another reader, which sets limits of its own. */
export function UnparsedBody(): CustomDecorator {
  return SetMetadata(HAS_UNPARSED_BODY, true);
}
