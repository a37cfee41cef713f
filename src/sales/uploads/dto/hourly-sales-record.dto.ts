import { applyDecorators } from '@nestjs/common';
import {
  AmountField,
  DateField,
  IntegerField,
  MAX_INTEGER,
  OptionalField,
} from '../../../http/validation/fields.decorator.js';
import {
  FigureProperties,
  FiguresBase,
  HOURS_PER_DAY,
  type SalesField,
  type SentFigures,
} from '../../fields/sales-fields.js';

/** Amounts are in the local currency. */
@FigureProperties(sentField)
export class HourlySalesRecordDto extends (FiguresBase as new () => SentFigures) {
  @IntegerField({ min: 1, max: MAX_INTEGER, description: 'Identifier, assigned by the administrator', example: 101 })
  readonly restaurant_id!: number;

  @DateField({ description: 'Day of the sales', example: '2025-10-15' }) readonly date!: string;

  @IntegerField({ min: 0, max: HOURS_PER_DAY - 1, description: 'Hour of the day: 9 is 09:00 to 09:59', example: 9 })
  readonly hour!: number;
}

function sentField({ kind, default: value, description, example }: SalesField): PropertyDecorator {
  const options = { description: value === undefined ? description : `${description}; default: ${value}`, example };
  const rule = kind === 'count' ? IntegerField({ min: 0, max: MAX_INTEGER, ...options }) : AmountField(options);
  return value === undefined ? rule : applyDecorators(rule, OptionalField());
}
