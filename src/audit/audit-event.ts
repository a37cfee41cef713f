import type { AuditEventRow } from './audit-event.entity.js';

/** `begun` is a command's first record; without another one the command was killed. */
export type Outcome = 'success' | 'failure' | 'refused' | 'locked' | 'begun';

/** An event to record. It must hold no secret and nothing that was typed as a username at login. */
export interface AuditEvent {
  /** `user:17`, `name:` and a keyed hash for an unknown username, `administrator:root`. */
  readonly actor: string;
  readonly action: string;
  readonly subject?: string;
  readonly clientAddress?: string;
  readonly outcome: Outcome;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A recorded event, with the username of an actor `user:17`. */
export type AuditEntry = Omit<AuditEventRow, 'id'> & { readonly username: string | null };

/** The newest events by a user or done to it. */
export interface AuditFilter {
  readonly username?: string | undefined;
  readonly since?: Date | undefined;
  readonly limit: number;
}
