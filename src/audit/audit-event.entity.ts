import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What became of an event; a command that stays `begun` was killed. */
export type Outcome = 'success' | 'failure' | 'refused' | 'locked' | 'begun';

/** A row of the append-only `audit_log`. It holds no secret and no username as typed at a login. */
@Entity('audit_log')
export class AuditEvent {
  /** When it was recorded, which the service's role may not write. */
  @PrimaryColumn({ type: 'timestamptz', default: () => 'clock_timestamp()', insert: false })
  readonly at!: Date;
  @PrimaryColumn({ type: 'bigint', insert: false })
  readonly id!: number;

  /** Who did it: `user:17`, `administrator:root`, or `name:` and a hash of an unknown username. */
  @Column({ type: 'text' }) readonly actor!: string;
  @Column({ type: 'text' }) readonly action!: string;
  @Column({ type: 'text', nullable: true }) readonly subject!: string | null;
  @Column({ name: 'client_address', type: 'text', nullable: true })
  readonly clientAddress!: string | null;
  @Column({ type: 'text' }) readonly outcome!: Outcome;
  @Column({ type: 'jsonb', default: {} }) readonly details!: Record<string, unknown>;
}

export type NewAuditEvent = Pick<AuditEvent, 'actor' | 'action' | 'outcome'> &
  Partial<Pick<AuditEvent, 'subject' | 'clientAddress'>> & { readonly details?: object };

/** An event as `audit list` shows it. */
export type ListedEvent = Omit<AuditEvent, 'id' | 'clientAddress'> & {
  readonly client_address: string | null;
  /** The name of the actor, if it is a user. */
  readonly username: string | null;
};
