import { ApiProperty } from '../../http/openapi/openapi.decorator.js';
import { IntegerField, integerSchema } from '../../http/validation/fields.decorator.js';
import { FigureProperties, FiguresBase, HOURS_PER_DAY, type Figures } from './sales-fields.js';

/** Of one hour, or totals, which may have more digits than a JavaScript number. */
@FigureProperties(({ kind, example }) =>
  kind === 'count'
    ? ApiProperty({ ...integerSchema({ min: 0, max: Number.MAX_SAFE_INTEGER }), example })
    : ApiProperty({ type: 'number', format: 'double', minimum: 0, example }),
)
export class SalesFigures extends (FiguresBase as new () => Figures<number>) {}

export class HourChange {
  @IntegerField({ min: 0, max: HOURS_PER_DAY - 1, example: 9 }) readonly hour!: number;

  @ApiProperty({ type: () => SalesFigures, nullable: true, description: 'null if the hour was not uploaded before' })
  readonly before!: SalesFigures | null;

  @ApiProperty({ type: () => SalesFigures }) readonly after!: SalesFigures;
}
