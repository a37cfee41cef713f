import { Column, Entity, PrimaryColumn } from 'typeorm';
import { FigureProperties, FiguresBase, type Figures, type SalesField } from '../fields/sales-fields.js';

/** PostgreSQL returns amounts as text. */
@Entity('hourly_sales')
@FigureProperties(storedField)
export class HourlySales extends (FiguresBase as new () => Figures<string | number>) {
  @PrimaryColumn({ name: 'restaurant_id', type: 'integer' }) readonly restaurantId!: number;
  @PrimaryColumn({ type: 'date' }) readonly date!: string;
  @PrimaryColumn({ type: 'smallint' }) readonly hour!: number;
  @Column({ name: 'upload_number', type: 'integer' }) readonly uploadNumber!: number;
}

function storedField({ kind, default: value }: SalesField): PropertyDecorator {
  return Column({ type: kind === 'count' ? 'integer' : 'numeric', ...(value === undefined ? {} : { default: value }) });
}
