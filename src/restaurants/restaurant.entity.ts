import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('restaurants')
export class Restaurant {
  @PrimaryColumn({ type: 'integer' }) readonly id!: number;
  @Column({ type: 'text' }) readonly name!: string;

  /** As PostgreSQL writes a datemultirange: `{[2025-10-01,)}`. */
  @Column({ type: 'datemultirange', default: '{}' }) readonly closed!: string;
  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' }) readonly createdAt!: Date;
}
