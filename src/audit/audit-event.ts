/** What became of it: done, wrong (a password), not allowed, or the end of patience. */
export type Outcome = 'success' | 'failure' | 'refused' | 'locked';

/** Something that will have to be answered for. Nothing in it may be a secret, or what somebody typed as a username. */
export interface AuditEvent {
  /** Who: `user:17`, `name:` and a keyed hash where no user has that name, `administrator:root`. */
  readonly actor: string;
  /** What: `login`, `token revoke`, or an administrator's command. */
  readonly action: string;
  /** To whom or to what, where that is not the actor. */
  readonly subject?: string;
  /** From where, where it came over the network. */
  readonly clientAddress?: string;
  readonly outcome: Outcome;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An event as it was kept. */
export interface AuditEntry extends Required<Pick<AuditEvent, 'actor' | 'action' | 'outcome' | 'details'>> {
  readonly at: Date;
  /** The username behind an actor `user:17`. */
  readonly username: string | null;
  readonly subject: string | null;
  readonly clientAddress: string | null;
}

/** Which events are asked for. */
export interface AuditFilter {
  /** By this user, or done to it. */
  readonly username?: string;
  readonly since?: Date;
  /** At most so many, the newest. */
  readonly limit: number;
}
