import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const CHECKS_REVOCATION = 'checksRevocation';

/** The route's own SQL statement checks whether the token was revoked, so `TokenGuard` saves the round trip. */
export function ChecksRevocation(): CustomDecorator {
  return SetMetadata(CHECKS_REVOCATION, true);
}
