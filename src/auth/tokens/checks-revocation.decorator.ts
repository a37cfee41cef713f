import { Reflector } from '@nestjs/core';

/** The route's own statement checks whether the token was revoked: `JwtAuthGuard` need not ask. */
export const ChecksRevocation = Reflector.createDecorator<boolean>({ transform: () => true });

/** The routes of this class take tokens of people who have to set a password or a second factor. */
export const OfAuth = Reflector.createDecorator<boolean>({ transform: () => true });
