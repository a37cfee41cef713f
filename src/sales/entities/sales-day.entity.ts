import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Uploads of one day queue for its row. */
@Entity('sales_days')
export class SalesDay {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @PrimaryColumn({ type: 'date' }) readonly date!: string;

  /** Also the latest number. */
  @Column({ type: 'integer' }) readonly uploads!: number;

  /** One bit per hour. */
  @Column({ type: 'integer' }) readonly hours!: number;
  @Column({ name: 'hours_before', type: 'integer', default: 0 }) readonly hoursBefore!: number;
  @Column({ name: 'last_uploaded_at', type: 'timestamptz' }) readonly lastUploadedAt!: Date;
}
