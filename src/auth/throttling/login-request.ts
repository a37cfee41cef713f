import type { Request } from 'express';
import type { LoginAttempt } from './login-attempt.js';

/** A request to log in, its body checked, on its way through the guards of the route. */
export interface LoginRequest extends Request {
  body: { readonly username: string };
  /** Once the throttler let it in. */
  loginAttempt?: LoginAttempt;
}
