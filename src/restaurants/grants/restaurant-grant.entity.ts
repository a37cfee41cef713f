import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The right of one user to upload for one restaurant. */
@Entity('restaurant_grants')
export class RestaurantGrant {
  @PrimaryColumn({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @Column({ name: 'granted_at', type: 'timestamptz', default: () => 'now()' }) readonly grantedAt!: Date;
}
