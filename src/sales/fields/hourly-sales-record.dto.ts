import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiSchema, IntersectionType } from '@nestjs/swagger';
import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import {
  AmountField,
  DateField,
  IntegerField,
  integerSchema,
  OptionalField,
} from '../../http/validation/fields.decorator.js';
import { type Figures, FiguresType, SALES_FIELDS, type SalesField } from './sales-fields.js';

const HourField = IntegerField({
  min: 0,
  max: HOURS_PER_DAY - 1,
  description: '9 is 09:00 to 09:59',
  example: 9,
});

class HourOfRestaurant {
  @IntegerField({ min: 1, example: 101 }) readonly restaurant_id!: number;
  @DateField({ example: '2025-10-15' }) readonly date!: string;
  @HourField readonly hour!: number;
}

class SentFiguresDto extends FiguresType<number>(({ kind, isOptional, description, example }) => {
  const options = { description, example };
  const Field = kind === 'count' ? IntegerField({ min: 0, ...options }) : AmountField(options);
  return isOptional ? applyDecorators(OptionalField(), Field) : Field;
}) {}

/** Sales of a restaurant in an hour, in local currency; a method without payments is 0. */
export class HourlySalesRecordDto extends IntersectionType(HourOfRestaurant, SentFiguresDto) {}

const schemaOf = ({ kind }: Pick<SalesField, 'kind'>) =>
  kind === 'count'
    ? { ...integerSchema({ min: 0, max: Number.MAX_SAFE_INTEGER }), example: 12 }
    : ({ type: 'number', format: 'double', minimum: 0, example: 350.5 } as const);

const FIGURES = Object.fromEntries(SALES_FIELDS.map((field) => [field.name, schemaOf(field)]));

/** The figures alone. */
@ApiSchema({
  description: 'Figures of one hour, or totals, which may have more digits than a double',
})
export class SalesFigures extends FiguresType<number>((field) => ApiProperty(schemaOf(field))) {}

export class HourChange {
  @HourField readonly hour!: number;

  /** In OpenAPI 3.0 a reference does not admit null, so the schema of figures is repeated. */
  @ApiProperty({
    type: 'object',
    properties: FIGURES,
    required: Object.keys(FIGURES),
    selfRequired: false,
    nullable: true,
    description: 'null if the hour was not uploaded before, or by none of the 5,000 uploads before',
  })
  readonly before!: Figures<number> | null;

  @ApiProperty({ type: SalesFigures }) readonly after!: SalesFigures;
}
