import { SetMetadata } from '@nestjs/common';

export const DEFERS_REVOCATION_CHECK = 'judgesToken';

/**
 * For a handler that finds out by a statement of its own whether the token was revoked, and throws `TokenInvalid`: the
 * guard leaves that question to it, so that the request takes one round trip to the database and not two. Whatever else
 * is wrong with the request still comes second: before another 4xx is answered, the token is judged after all.
 */
export const DefersRevocationCheck = (): MethodDecorator => SetMetadata(DEFERS_REVOCATION_CHECK, true);
