import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A counter of failed logins: of an account at an address, of an account anywhere, or of an address. */
@Entity('login_failures')
export class LoginFailure {
  /** '' in the counter of an address. */
  @PrimaryColumn({ name: 'subject', type: 'text' })
  readonly accountKey!: string;

  /** '' in the counter of an account anywhere. */
  @PrimaryColumn({ name: 'network', type: 'text' })
  readonly ipPrefix!: string;

  /** Oldest first; emptied when the counter locks. */
  @Column({ name: 'failed_at', type: 'timestamptz', array: true, default: '{}' })
  readonly failedAt!: Date[];

  @Column({ name: 'locked_until', type: 'timestamptz', nullable: true })
  readonly lockedUntil!: Date | null;

  /** Whether the audit log has a rejection under this lock. */
  @Column({ name: 'refusal_recorded', type: 'boolean', default: false })
  readonly rejectionRecorded!: boolean;

  @Column({ name: 'under_way', type: 'integer', default: 0 })
  readonly slotsInUse!: number;

  @Column({ name: 'under_way_until', type: 'timestamptz', nullable: true })
  readonly slotsInUseUntil!: Date | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  readonly expiresAt!: Date;
}

/** An address from which a user logged in; failures elsewhere do not lock the user out there. */
@Entity('known_addresses')
export class KnownAddress {
  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  readonly userId!: number;

  @PrimaryColumn({ name: 'network', type: 'text' })
  readonly ipPrefix!: string;

  /** To the day. */
  @Column({ name: 'last_login_at', type: 'timestamptz' })
  readonly lastLoginAt!: Date;
}
