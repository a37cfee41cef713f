import { ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  EnumField,
  IntegerField,
  OptionalField,
  StringField,
} from '../../../http/validation/fields.decorator.js';
import { ListField } from '../../../http/validation/list-field.decorator.js';
import { Uncopied } from '../../../http/validation/request.pipe.js';
import { HourChange } from '../../fields/figures.dto.js';
import { HourlySalesRecordDto } from '../../fields/hourly-sales-record.dto.js';
import { HOURS_PER_DAY, MAX_RECORDS_PER_UPLOAD } from '../../fields/sales-fields.js';

/** All or some hours of one restaurant's day. */
@Uncopied()
export class UploadDailyDto {
  @ListField(() => HourlySalesRecordDto, {
    max: MAX_RECORDS_PER_UPLOAD,
    empty: 'a closed day is sent as records of zeros',
    description: 'One record per hour, in any order',
    sameValue: {
      fields: ['restaurant_id', 'date'],
      because: 'one upload is one restaurant and one day',
    },
    uniqueBy: 'hour',
  })
  readonly records!: HourlySalesRecordDto[];
}

@Uncopied()
export class UploadQueryDto {
  @OptionalField()
  @BooleanField({
    in: 'query',
    description: 'true: check the upload and report what it would change, but save nothing',
  })
  readonly dry_run?: boolean;
}

class UploadWarning {
  @IntegerField({ min: 0, max: HOURS_PER_DAY - 1, example: 12 }) readonly hour!: number;

  @EnumField(['orders_without_turnover', 'payments_differ'], {
    example: 'payments_differ',
    description: 'payments_differ: the payments add up neither to gto nor to gto + gst + svc',
  })
  readonly code!: string;

  @StringField({
    example: 'hour 12: the payments are 30.00 in all, but gto is 31.00, and 35.00 with gst and svc',
  })
  readonly message!: string;
}

const onlyDryRun = { isArray: true, required: false } as const;

export class UploadResponse {
  @ApiProperty({
    type: 'boolean',
    example: true,
    description: 'Always true: a failed upload gets an error response',
  })
  readonly success!: true;

  @IntegerField({
    min: 1,
    max: MAX_RECORDS_PER_UPLOAD,
    description: 'How many records were saved',
    example: 1,
  })
  readonly processed!: number;

  @StringField({
    description: 'Names the restaurant and the date',
    example: '1 hourly record saved for restaurant 101 (Demo Restaurant) on 2025-10-15',
  })
  readonly message!: string;

  @ApiProperty({
    ...onlyDryRun,
    type: () => HourChange,
    description: 'The hours that would change; only with `dry_run`',
  })
  readonly changes?: readonly HourChange[];

  @ApiProperty({
    ...onlyDryRun,
    type: () => UploadWarning,
    description: 'Never reject an upload; only with `dry_run`',
  })
  readonly warnings?: readonly UploadWarning[];
}
