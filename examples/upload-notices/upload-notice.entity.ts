import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An upload of which the receiver was not told yet. */
@Entity('upload_notices')
export class UploadNotice {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' })
  readonly restaurantId!: number;

  @PrimaryColumn({ type: 'date' })
  readonly date!: string;

  /** The number of the upload among those of its restaurant and day. */
  @PrimaryColumn({ type: 'integer' })
  readonly number!: number;

  @Column({ type: 'integer' })
  readonly tries!: number;

  @Index('upload_notices_due')
  @Column({ name: 'next_try_at', type: 'timestamptz' })
  readonly nextTryAt!: Date;
}
