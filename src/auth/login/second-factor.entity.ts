import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The authenticator app of a person. */
@Entity('second_factors')
export class SecondFactor {
  @PrimaryColumn({ name: 'user_id', type: 'integer' }) readonly userId!: number;

  /** Encrypted by SECOND_FACTOR_KEY. */
  @Column({ type: 'bytea' }) readonly secret!: Buffer;

  /** Null until a first code has shown that the app has the secret. */
  @Column({ name: 'confirmed_at', type: 'timestamptz', nullable: true })
  readonly confirmedAt!: Date | null;

  /** The latest step whose code was used: each is good once. */
  @Column({ name: 'last_step', type: 'integer', default: 0 }) readonly lastStep!: number;
}

/** A code for when the app is lost, as its SHA-256. */
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @PrimaryColumn({ type: 'bytea' }) readonly hash!: Buffer;
}
