import type { Credentials } from '../../users/credentials.service.js';

/** Who wants to log in, as it is counted and recorded. */
export interface LoginIdentity {
  readonly credentials: Credentials;
  /** For whom it counts, in a form that may be written down: `user:17`, or `name:` and a keyed hash of what was typed. */
  readonly subject: string;
  /** From where it counts: an IPv4 address, or an IPv6 network. */
  readonly network: string;
  readonly clientAddress: string;
}

/** One attempt to log in, which no lock forbids. */
export interface LoginAttempt extends LoginIdentity {
  /** The user logged in from this network not long ago. */
  readonly known: boolean;
}
