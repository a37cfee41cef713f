import { Column, Entity, PrimaryColumn } from 'typeorm';

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
