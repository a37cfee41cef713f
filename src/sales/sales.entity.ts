import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Figures } from './fields/sales-fields.js';
import type { ImportSource } from './files/check-stored.js';

/** The latest figures of an hour. PostgreSQL returns amounts as text, with every digit. */
@Entity('hourly_sales')
export class HourlySales implements Figures<number | string> {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @PrimaryColumn({ type: 'date' }) readonly date!: string;
  @PrimaryColumn({ type: 'smallint' }) readonly hour!: number;
  @Column({ type: 'integer' }) readonly orders!: number;
  @Column({ type: 'numeric' }) readonly gto!: string;
  @Column({ type: 'numeric' }) readonly gst!: string;
  @Column({ type: 'numeric' }) readonly svc!: string;
  @Column({ type: 'numeric' }) readonly discount!: string;
  @Column({ type: 'integer' }) readonly pax!: number;
  @Column({ type: 'numeric' }) readonly cash!: string;
  @Column({ type: 'numeric' }) readonly nets!: string;
  @Column({ type: 'numeric' }) readonly visa!: string;
  @Column({ type: 'numeric' }) readonly master!: string;
  @Column({ type: 'numeric' }) readonly amex!: string;
  @Column({ type: 'numeric' }) readonly voucher!: string;
  @Column({ type: 'numeric' }) readonly other!: string;
  // a new field goes here

  /** Number of the upload that wrote these figures. */
  @Column({ name: 'upload_number', type: 'integer' }) readonly uploadNumber!: number;
}

const TotalColumn = (field: string): PropertyDecorator =>
  Column({ name: `total_${field}`, type: 'numeric', nullable: true });

/** A restaurant's day. Uploads of one day queue for its row. */
@Entity('sales_days')
export class SalesDay {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @PrimaryColumn({ type: 'date' }) readonly date!: string;

  /** Number of uploads so far, which is also the number of the latest one. */
  @Column({ type: 'integer' }) readonly uploads!: number;

  /** The hours that were uploaded so far, one bit each. */
  @Column({ type: 'integer' }) readonly hours!: number;

  /** The hours that were uploaded before the latest upload, one bit each. */
  @Column({ name: 'hours_before', type: 'integer', default: 0 }) readonly hoursBefore!: number;
  @Column({ name: 'last_uploaded_at', type: 'timestamptz' }) readonly lastUploadedAt!: Date;

  /** Number of the upload up to which the totals are true, and of the fields that they have. */
  @Column({ name: 'totals_upload', type: 'integer', nullable: true })
  readonly totalsUpload!: number | null;
  @Column({ name: 'totals_fields', type: 'smallint', nullable: true })
  readonly totalsFields!: number | null;

  @TotalColumn('orders') readonly totalOrders!: string | null;
  @TotalColumn('gto') readonly totalGto!: string | null;
  @TotalColumn('gst') readonly totalGst!: string | null;
  @TotalColumn('svc') readonly totalSvc!: string | null;
  @TotalColumn('discount') readonly totalDiscount!: string | null;
  @TotalColumn('pax') readonly totalPax!: string | null;
  @TotalColumn('cash') readonly totalCash!: string | null;
  @TotalColumn('nets') readonly totalNets!: string | null;
  @TotalColumn('visa') readonly totalVisa!: string | null;
  @TotalColumn('master') readonly totalMaster!: string | null;
  @TotalColumn('amex') readonly totalAmex!: string | null;
  @TotalColumn('voucher') readonly totalVoucher!: string | null;
  @TotalColumn('other') readonly totalOther!: string | null;
  // the total of a new field goes here
}

/** An upload in the ledger. Rows are never changed or deleted. */
@Entity('uploads')
export class LedgerUpload {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @PrimaryColumn({ type: 'date' }) readonly date!: string;

  /** Counts the uploads of the day from 1, without a gap. */
  @PrimaryColumn({ type: 'integer' }) readonly number!: number;
  @Column({ name: 'user_id', type: 'integer' }) readonly userId!: number;
  @Column({ name: 'client_address', type: 'text' }) readonly clientAddress!: string;

  /** Where the figures come from, such as the name of a file; null if the client did not say. */
  @Column({ type: 'text', nullable: true }) readonly source!: string | null;

  /** The file profile and the tills of an import; null for what a till or a person sent. */
  @Column({ name: 'import_source', type: 'jsonb', nullable: true })
  readonly importSource!: ImportSource | null;
  @Column({ name: 'uploaded_at', type: 'timestamptz' }) readonly uploadedAt!: Date;
  @Column({ type: 'smallint' }) readonly processed!: number;

  /** The hours that it changed, one bit each. */
  @Column({ name: 'changed_hours', type: 'integer' }) readonly changedHours!: number;

  /** The changed hours that an earlier upload had written; null in rows of earlier releases. */
  @Column({ name: 'replaced_hours', type: 'integer', nullable: true })
  readonly replacedHours!: number | null;

  /** The records as they were sent, an array per field; null if they changed nothing. */
  @Column({ type: 'json', nullable: true })
  readonly records!: (Figures<readonly number[]> & { readonly hour: readonly number[] }) | null;
}
