import { Entity, PrimaryColumn } from 'typeorm';

/** A user who may read the cash counts of all restaurants. */
@Entity('cash_count_auditors')
export class CashCountAuditor {
  @PrimaryColumn({ name: 'user_id', type: 'integer' })
  readonly userId!: number;
}
