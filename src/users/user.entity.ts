import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

export type UserKind = 'till' | 'person';

/** A person or a till that logs in. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'integer' }) readonly id!: number;
  @Column({ type: 'text', unique: true }) readonly username!: string;
  @Column({ name: 'password_hash', type: 'text' }) readonly passwordHash!: string;

  /** A till logs in with its password alone; what `auth/` asks beside it is for persons. */
  @Column({ type: 'text', default: 'till' }) readonly kind!: UserKind;

  /** Whether an administrator set the password of a person, who has to set another. */
  @Column({ name: 'password_must_change', type: 'boolean', default: false })
  readonly passwordMustChange!: boolean;

  @Column({ name: 'password_changed_at', type: 'timestamptz', nullable: true })
  readonly passwordChangedAt!: Date | null;

  /** Number of passwords set so far; hashing the same password again does not raise it. */
  @Column({ name: 'password_version', type: 'integer', default: 1 })
  readonly passwordVersion!: number;

  /** Whether the user may upload for every restaurant, future ones included. */
  @Column({ name: 'all_restaurants', type: 'boolean', default: false })
  readonly allRestaurants!: boolean;
  @Column({ name: 'disabled_at', type: 'timestamptz', nullable: true })
  readonly disabledAt!: Date | null;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  readonly createdAt!: Date;
}
