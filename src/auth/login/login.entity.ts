import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Failures of a pair (`user:17 at 192.0.2.1`), of a user (`user:17`), or of an address. */
@Entity('login_counters')
export class LoginCounter {
  @PrimaryColumn({ type: 'text' }) readonly key!: string;
  @Column({ type: 'integer' }) readonly failures!: number;
  @Column({ type: 'boolean' }) readonly locked!: boolean;

  /** End of the lock, or of the window that began with the first failure. */
  @Column({ name: 'ends_at', type: 'timestamptz' }) readonly endsAt!: Date;
}

/** An address from which a user logged in. */
@Entity('known_addresses')
export class KnownAddress {
  @PrimaryColumn({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @PrimaryColumn({ type: 'text' }) readonly network!: string;
  @Column({ name: 'last_login_at', type: 'timestamptz' }) readonly lastLoginAt!: Date;
}
