import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Kind } from './cash-count-kind.js';

/** What was counted in one drawer. */
@Entity('cash_count_lines')
export class CashCountLine {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' })
  readonly restaurantId!: number;

  @PrimaryColumn({ type: 'date' })
  readonly date!: string;

  @PrimaryColumn({ type: 'text' })
  readonly drawer!: string;

  /** PostgreSQL gives decimals as text; one of 12 digits is exact as a number. */
  @Column({ type: 'numeric', transformer: { to: (amount: number) => amount, from: Number } })
  readonly amount!: number;

  @Column({ type: 'text' })
  readonly kind!: Kind;

  @Column({ type: 'text', nullable: true })
  readonly note!: string | null;
}
