import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('restaurants')
export class Restaurant {
  @PrimaryColumn({ type: 'integer' }) readonly id!: number;
  @Column({ type: 'text' }) readonly name!: string;

  /** The closed days, a datemultirange of PostgreSQL: `{[2025-10-01,2025-10-08),[2025-11-01,)}`. */
  @Column({ type: 'datemultirange', default: '{}' }) readonly closed!: string;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  readonly createdAt!: Date;
}

/** The right of one user to upload for one restaurant. */
@Entity('restaurant_grants')
export class RestaurantGrant {
  @PrimaryColumn({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @Column({ name: 'granted_at', type: 'timestamptz', default: () => 'now()' })
  readonly grantedAt!: Date;
}
