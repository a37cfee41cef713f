import type { AuditEventRow } from './audit-event.entity.js';

/** `failure`: a wrong password, or a command that failed; `refused`: not allowed; `begun`: a command that may have ended. */
export type Outcome = 'success' | 'failure' | 'refused' | 'locked' | 'begun';

/** Something that happened, as it is recorded. It must hold no secret and nothing that was typed as a username at login. */
export interface AuditEvent {
  /** `user:17`, `name:` and a keyed hash for an unknown username, `administrator:root`. */
  readonly actor: string;
  /** `login`, `token revoke`, or an administrator's command. */
  readonly action: string;
  /** Whom or what it was done to, unless that is the actor. */
  readonly subject?: string;
  readonly clientAddress?: string;
  readonly outcome: Outcome;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A recorded event, with the username of an actor `user:17`. */
export type AuditEntry = Omit<AuditEventRow, 'id'> & { readonly username: string | null };

export interface AuditFilter {
  /** Events by this user or done to it. */
  readonly username?: string;
  readonly since?: Date;
  /** The newest so many. */
  readonly limit: number;
}
