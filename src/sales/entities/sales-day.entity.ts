import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One restaurant's day; uploads of the day queue for its row. */
@Entity('sales_days')
export class SalesDay {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' })
  readonly restaurantId!: number;

  @PrimaryColumn({ type: 'date' })
  readonly date!: string;

  /** How many uploads the day has had; also the number of the latest. */
  @Column({ type: 'integer' })
  readonly uploads!: number;

  /** Bit h is set if hour h was uploaded. */
  @Column({ type: 'integer' })
  readonly hours!: number;

  /** The hours before the latest upload. */
  @Column({ name: 'hours_before', type: 'integer', default: 0 })
  readonly hoursBefore!: number;

  @Column({ name: 'last_uploaded_at', type: 'timestamptz' })
  readonly lastUploadedAt!: Date;
}
