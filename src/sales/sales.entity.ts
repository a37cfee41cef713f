import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  type Relation,
  ViewColumn,
  ViewEntity,
} from 'typeorm';
import { type Figures, FiguresType } from './fields/sales-fields.js';
import type { ImportSource } from './files/check-stored.js';

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
}

const FiguresColumns = (when: 'before' | 'after') =>
  FiguresType<string | null>(({ name }) => ViewColumn({ name: `${name}_${when}` }));
class FiguresBefore extends FiguresColumns('before') {}
class FiguresAfter extends FiguresColumns('after') {}

/** An hour that an upload changed, as the ledger says. */
@ViewEntity('sales_history', { synchronize: false })
export class ChangedHour {
  @ViewColumn({ name: 'restaurant_id' }) readonly restaurantId!: number;
  @ViewColumn() readonly date!: string;
  @ViewColumn() readonly hour!: number;
  @ViewColumn({ name: 'upload_number' }) readonly uploadNumber!: number;

  /** The upload that had written the hour before; null if there was none. */
  @ViewColumn({ name: 'replaced_upload_number' }) readonly replacedNumber!: number | null;
  @Column(() => FiguresBefore, { prefix: false }) readonly before!: FiguresBefore;
  @Column(() => FiguresAfter, { prefix: false }) readonly after!: FiguresAfter;
}
