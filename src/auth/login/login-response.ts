import { TOKEN_LIFETIME_SECONDS } from '../tokens/token-lifetime.js';
import type { LoginResponse } from './login.dto.js';
import type { Login } from './login-tokens.service.js';

/** Writes an issued token as every way to sign in answers it. */
export function loginResponse({ token, restricted, told }: Login): LoginResponse {
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    ...(restricted && { restricted }),
    ...(told && {
      last_login_at: told.lastLoginAt?.toISOString() ?? null,
      last_login_address: told.lastLoginAddress,
      failed_since: told.failedSince,
      password_changed_at: told.passwordChangedAt?.toISOString() ?? null,
    }),
  };
}
