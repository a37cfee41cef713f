import { Column, Entity, PrimaryColumn } from 'typeorm';
import { FigureProperties, FiguresBase, type Figures, type SalesField } from './fields/sales-fields.js';

/** PostgreSQL returns amounts as text. */
@Entity('hourly_sales')
@FigureProperties(storedField)
export class HourlySales extends (FiguresBase as new () => Figures<string | number>) {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @PrimaryColumn({ type: 'date' }) readonly date!: string;
  @PrimaryColumn({ type: 'smallint' }) readonly hour!: number;
  @Column({ name: 'upload_number', type: 'integer' }) readonly uploadNumber!: number;
}

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

/** Taken out of the database; takes no more uploads. */
@Entity('archived_months')
export class ArchivedMonth {
  /** Its first day. */
  @PrimaryColumn({ type: 'date' }) readonly month!: string;
  @Column({ type: 'integer' }) readonly uploads!: number;

  /** Of the exported file. */
  @Column({ type: 'text' }) readonly sha256!: string;
  @Column({ name: 'archived_at', type: 'timestamptz', default: () => 'now()' }) readonly archivedAt!: Date;
}

/** Which machine is which restaurant, as the user chose. */
@Entity('user_machines')
export class UserMachines {
  @PrimaryColumn({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @Column({ type: 'json' }) readonly machines!: readonly { readonly machine: string; readonly restaurant_id: number }[];
}

function storedField({ kind, default: value }: SalesField): PropertyDecorator {
  return Column({ type: kind === 'count' ? 'integer' : 'numeric', ...(value === undefined ? {} : { default: value }) });
}
