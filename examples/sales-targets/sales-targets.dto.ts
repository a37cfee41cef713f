import { ApiProperty } from '@nestjs/swagger';
import { IsNumber, Max, Min } from 'class-validator';
import {
  AfterField,
  EnumField,
  IntegerField,
  LimitField,
  MAX_INTEGER,
  NextField,
  OptionalField,
} from '../../src/http/validation/fields.decorator.js';
import { SALES_TARGET_STATES, type SalesTargetState } from './sales-target-state.js';

const RESTAURANT = { min: 1, max: MAX_INTEGER, description: 'Restaurant identifier', example: 101 };

/** A restaurant's sales target, as it is created and as it is read. */
export class SalesTargetDto {
  @IntegerField(RESTAURANT)
  readonly restaurant_id!: number;

  /** Amount in the local currency, with at most two decimals. */
  @Max(999_999_999_999)
  @Min(0)
  @IsNumber(
    { maxDecimalPlaces: 2 },
    { message: '$property must be a number with at most 2 decimals' },
  )
  @ApiProperty({ description: 'Turnover expected on a day', example: 12500 })
  readonly amount!: number;
}

/** A sales target as it is read. */
export class SalesTargetResponse extends SalesTargetDto {
  @EnumField(SALES_TARGET_STATES, {
    description: 'Head office approves what is proposed',
    example: 'proposed',
  })
  readonly state!: SalesTargetState;
}

export class SalesTargetPathDto {
  @IntegerField({ in: 'path', ...RESTAURANT })
  readonly restaurant_id!: number;
}

export class SalesTargetsQueryDto {
  @LimitField({ max: 500, default: 100 })
  readonly limit: number = 100;

  @AfterField()
  readonly after?: number;

  /** Only those in this state: `proposed` is what head office has to decide. */
  @OptionalField()
  @EnumField(SALES_TARGET_STATES)
  readonly state?: SalesTargetState;
}

export class SalesTargetsResponse {
  @ApiProperty({ type: [SalesTargetResponse] })
  readonly sales_targets!: SalesTargetResponse[];

  @NextField('int32')
  readonly next!: number | null;
}
