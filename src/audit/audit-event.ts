import type { AuditEventRow, Outcome } from './audit-event.entity.js';

/** Must hold no secret and nothing that was entered as a username at login. */
export interface AuditEvent {
  /** `user:17`, `name:` and a keyed hash for an unknown username, `administrator:root`. */
  readonly actor: string;
  readonly action: string;
  readonly subject?: string;
  readonly clientAddress?: string;
  readonly outcome: Outcome;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type AuditEntry = Omit<AuditEventRow, 'id'> & { readonly username: string | null };

export interface AuditFilter {
  readonly username?: string | undefined;
  readonly since?: Date | undefined;
  readonly limit: number;
}
