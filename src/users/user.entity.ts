import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Somebody, or some till, that logs in. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'integer' })
  readonly id!: number;

  @Column({ type: 'text', unique: true })
  readonly username!: string;

  @Column({ name: 'password_hash', type: 'text' })
  readonly passwordHash!: string;

  /** Counts the passwords that were set; a renewed hash of the same password is the same version. */
  @Column({ name: 'password_version', type: 'integer', default: 1 })
  readonly passwordVersion!: number;

  /** May upload for every restaurant, those to come included. */
  @Column({ name: 'all_restaurants', type: 'boolean', default: false })
  readonly allRestaurants!: boolean;

  @Column({ name: 'disabled_at', type: 'timestamptz', nullable: true })
  readonly disabledAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  readonly createdAt!: Date;
}
