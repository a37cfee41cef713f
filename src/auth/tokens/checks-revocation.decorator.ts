import { Reflector } from '@nestjs/core';

/** The route's own statement checks whether the token was revoked: `JwtAuthGuard` need not ask. */
export const ChecksRevocation = Reflector.createDecorator<boolean>({ transform: () => true });
