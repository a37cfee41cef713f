import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The count of a restaurant's drawers at the end of a day. */
@Entity('cash_counts')
export class CashCount {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' })
  readonly restaurantId!: number;

  @PrimaryColumn({ type: 'date' })
  readonly date!: string;

  /** Number of the user who counted. */
  @Column({ name: 'user_id', type: 'integer' })
  readonly userId!: number;
}
