import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  VirtualColumn,
} from 'typeorm';
import { type Closure, nightHours, type Schedule } from '../calendar/expected-hours.js';
import { WEEKDAYS } from '../calendar/hour-set.js';

@Entity('restaurants')
export class Restaurant implements Schedule {
  @PrimaryColumn({ type: 'integer' }) readonly id!: number;
  @Column({ type: 'text' }) readonly name!: string;
  @Column({ name: 'first_day', type: 'date', default: () => 'CURRENT_DATE' })
  readonly firstDay!: string;

  /** Seven sets of hours, Monday first. */
  @Column({ name: 'weekly_hours', type: 'integer', array: true })
  readonly weeklyHours!: readonly number[];

  @VirtualColumn({
    type: 'json',
    query: (restaurant) => {
      const ofWeekday = (weekday: number) => nightHours(`${restaurant}.weekly_hours`, weekday);
      return `SELECT json_build_array(${WEEKDAYS.map(ofWeekday).join()})`;
    },
  })
  readonly nights!: readonly number[];

  /** Its closures by date: a join takes four times as long for 10,000 restaurants. */
  @VirtualColumn({
    type: 'json',
    query: (restaurant) => `
      SELECT coalesce(json_agg(json_build_object('firstDay', first_day, 'lastDay', last_day,
        'reason', reason) ORDER BY first_day), '[]')
      FROM restaurant_closures WHERE restaurant_id = ${restaurant}.id`,
  })
  readonly closures!: Closure[];

  @OneToMany(() => RestaurantGrant, ({ restaurant }) => restaurant)
  readonly grants!: RestaurantGrant[];

  /** Only the version before reads it. */
  @Column({ type: 'datemultirange', default: '{}', select: false }) readonly closed!: string;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  readonly createdAt!: Date;
}

/** Closed days of a restaurant; those of one restaurant never overlap. */
@Entity('restaurant_closures')
export class RestaurantClosure implements Closure {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @PrimaryColumn({ name: 'first_day', type: 'date' }) readonly firstDay!: string;
  @Column({ name: 'last_day', type: 'date', nullable: true }) readonly lastDay!: string | null;
  @Column({ type: 'text', nullable: true }) readonly reason!: string | null;
}

/** The right of one user to upload for one restaurant. */
@Entity('restaurant_grants')
export class RestaurantGrant {
  @PrimaryColumn({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @ManyToOne(() => Restaurant, ({ grants }) => grants)
  @JoinColumn({ name: 'restaurant_id' })
  readonly restaurant!: Restaurant;
  @Column({ name: 'granted_at', type: 'timestamptz', default: () => 'now()' })
  readonly grantedAt!: Date;
}
