import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Failures of an account key at an IP prefix; '' stands for any. */
@Entity('login_failures')
export class LoginFailure {
  @PrimaryColumn({ name: 'subject', type: 'text' }) readonly accountKey!: string;
  @PrimaryColumn({ name: 'network', type: 'text' }) readonly ipPrefix!: string;
  @Column({ name: 'failed_at', type: 'timestamptz', array: true, default: '{}' }) readonly failedAt!: Date[];
  @Column({ name: 'locked_until', type: 'timestamptz', nullable: true }) readonly lockedUntil!: Date | null;
  @Column({ name: 'refusal_recorded', type: 'boolean', default: false }) readonly rejectionRecorded!: boolean;
  @Column({ name: 'under_way', type: 'integer', default: 0 }) readonly slotsInUse!: number;
  @Column({ name: 'under_way_until', type: 'timestamptz', nullable: true }) readonly slotsInUseUntil!: Date | null;
  @Column({ name: 'expires_at', type: 'timestamptz' }) readonly expiresAt!: Date;
}

@Entity('known_addresses')
export class KnownAddress {
  @PrimaryColumn({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @PrimaryColumn({ name: 'network', type: 'text' }) readonly ipPrefix!: string;
  @Column({ name: 'last_login_at', type: 'timestamptz' }) readonly lastLoginAt!: Date;
}
