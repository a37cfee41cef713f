import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Rows are never changed or deleted. */
@Entity('uploads')
export class LedgerUpload {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @PrimaryColumn({ type: 'date' }) readonly date!: string;

  /** From 1, without a gap. */
  @PrimaryColumn({ type: 'integer' }) readonly number!: number;
  @Column({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @Column({ name: 'client_address', type: 'text' }) readonly clientAddress!: string;
  @Column({ name: 'uploaded_at', type: 'timestamptz' }) readonly uploadedAt!: Date;
  @Column({ type: 'smallint' }) readonly processed!: number;

  /** One bit per hour. */
  @Column({ name: 'changed_hours', type: 'integer' }) readonly changedHours!: number;

  /** null: unchanged */
  @Column({ type: 'json', nullable: true }) readonly records!: Readonly<Record<string, readonly number[]>> | null;
}
