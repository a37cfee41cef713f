import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A person or a till that logs in. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'integer' }) readonly id!: number;
  @Column({ type: 'text', unique: true }) readonly username!: string;
  @Column({ name: 'password_hash', type: 'text' }) readonly passwordHash!: string;

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
