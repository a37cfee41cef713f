import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  type Relation,
  VirtualColumn,
} from 'typeorm';
import { type Figures, FiguresType, listFields } from './fields/sales-fields.js';
import type { ImportSource } from './files/import-source.js';

/** The latest figures of an hour. PostgreSQL returns amounts as text, with every digit. */
@Entity('hourly_sales')
export class HourlySales extends FiguresType<number | string>(({ kind }) =>
  Column({ type: kind === 'count' ? 'integer' : 'numeric' }),
) {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @PrimaryColumn({ type: 'date' }) readonly date!: string;
  @PrimaryColumn({ type: 'smallint' }) readonly hour!: number;
  @ManyToOne(() => SalesDay, ({ records }) => records)
  @JoinColumn([
    { name: 'restaurant_id', referencedColumnName: 'restaurantId' },
    { name: 'date', referencedColumnName: 'date' },
  ])
  readonly day!: Relation<SalesDay>;

  /** Number of the upload that wrote these figures. */
  @Column({ name: 'upload_number', type: 'integer' }) readonly uploadNumber!: number;
}

class DayTotals extends FiguresType<string | null>(({ name }) =>
  Column({ name: `total_${name}`, type: 'numeric', nullable: true, select: false }),
) {}

/** A restaurant's day. Uploads of one day queue for its row. */
@Entity('sales_days')
export class SalesDay {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @PrimaryColumn({ type: 'date' }) readonly date!: string;

  /** Number of uploads so far, which is also the number of the latest one. */
  @Column({ type: 'integer' }) readonly uploads!: number;

  /** The hours that were uploaded so far, and those before the latest upload, one bit each. */
  @Column({ type: 'integer' }) readonly hours!: number;
  @Column({ name: 'hours_before', type: 'integer', default: 0 }) readonly hoursBefore!: number;
  @Column({ name: 'last_uploaded_at', type: 'timestamptz' }) readonly lastUploadedAt!: Date;

  /** Number of the upload up to which the totals are true, and of the fields that they have. */
  @Column({ name: 'totals_upload', type: 'integer', nullable: true })
  readonly totalsUpload!: number | null;
  @Column({ name: 'totals_fields', type: 'smallint', nullable: true })
  readonly totalsFields!: number | null;

  @Column(() => DayTotals, { prefix: false }) readonly totals!: DayTotals;
  @OneToMany(() => HourlySales, ({ day }) => day) readonly records!: HourlySales[];
}

/** An hour that an upload changed. Figures are text, so that no digit is lost. */
interface ChangedHour {
  readonly hour: number;
  /** Null if none of the uploads before had written the hour. */
  readonly before: Figures<string> | null;
  readonly after: Figures<string>;
}

/** Writes the figures of a row of `sales_history` as JSON. */
const figures = (when: 'before' | 'after'): string =>
  `json_build_object(${listFields(({ name }) => `'${name}', ${name}_${when}::text`)})`;

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

  /** The hours that it changed, and those of them that had figures before, one bit each. */
  @Column({ name: 'changed_hours', type: 'integer' }) readonly changedHours!: number;
  @Column({ name: 'replaced_hours', type: 'integer', nullable: true })
  readonly replacedHours!: number | null;

  /** The records as they were sent, an array per field; null if they changed nothing. */
  @Column({ type: 'json', nullable: true, select: false })
  readonly records!: (Figures<readonly number[]> & { readonly hour: readonly number[] }) | null;

  /** The hours that it changed, as JSON: an entity for each takes more CPU. */
  @VirtualColumn({
    type: 'json',
    query: (upload) => `
      SELECT coalesce(json_agg(json_build_object('hour', hour,
        'before', CASE WHEN replaced_upload_number IS NOT NULL THEN ${figures('before')} END,
        'after', ${figures('after')}) ORDER BY hour), '[]')
      FROM sales_history AS h
      WHERE h.restaurant_id = ${upload}.restaurant_id AND h.date = ${upload}.date
        AND h.upload_number = ${upload}.number`,
  })
  readonly changes!: readonly ChangedHour[];
}
