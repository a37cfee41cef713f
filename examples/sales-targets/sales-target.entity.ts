import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SalesTargetState } from './sales-target-state.js';

/** The turnover that head office expects of a restaurant on a day. */
@Entity('sales_targets')
export class SalesTarget {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' })
  readonly restaurantId!: number;

  /** Amount in local currency. PostgreSQL gives decimals as text; 14 digits are exact. */
  @Column({ type: 'numeric', transformer: { to: (amount: number) => amount, from: Number } })
  readonly amount!: number;

  @Column({ type: 'text', default: 'proposed' })
  readonly state!: SalesTargetState;
}
