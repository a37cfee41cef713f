import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const CHECKS_REVOCATION = 'checksRevocation';

/** The route's own statement checks whether the token was revoked: `TokenGuard` need not ask. */
export function ChecksRevocation(): CustomDecorator {
  return SetMetadata(CHECKS_REVOCATION, true);
}
