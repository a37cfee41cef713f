import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { HOURS_PER_DAY } from '../../calendar/hour-set.js';
import {
  BooleanField,
  EnumField,
  IntegerField,
  OptionalField,
  StringField,
} from '../../http/validation/fields.decorator.js';
import { HourChange, HourlySalesRecordDto } from '../fields/hourly-sales-record.dto.js';
import type { ImportSource } from '../files/import-source.js';

export const RECORDS_SCHEMA: ApiPropertyOptions = {
  type: [HourlySalesRecordDto],
  minItems: 1,
  maxItems: HOURS_PER_DAY,
  description: 'One record per hour, in any order',
};

/** All or some hours of one restaurant's day, as `UploadPipe` checks them. */
export class UploadDailyDto {
  @ApiProperty(RECORDS_SCHEMA)
  readonly records!: HourlySalesRecordDto[];
}

export class UploadQueryDto {
  @OptionalField()
  @BooleanField({
    in: 'query',
    description: 'true: check the upload, but save nothing; default: false',
    example: true, // so that tools begin with a dry run
  })
  readonly dry_run?: boolean;

  @OptionalField()
  @IntegerField({
    in: 'query',
    min: 0,
    description: 'The `version` that the day must still have; default: any',
  })
  readonly expected_version?: number;
}

const WARNINGS = [
  'amount_unusual',
  'date_far_ahead',
  'date_long_ago',
  'gst_over_a_third',
  'no_turnover',
  'orders_without_turnover',
  'outside_opening_hours',
  'payments_differ',
  'svc_over_a_third',
  'turnover_smaller',
];

export class UploadWarning {
  @IntegerField({
    min: 0,
    max: HOURS_PER_DAY - 1,
    example: 12,
    description: 'The first hour of the upload where it is about the date or the whole day',
  })
  readonly hour!: number;

  @EnumField(WARNINGS, {
    example: 'payments_differ',
    description: 'payments_differ: the payments add up neither to gto nor to gto + gst + svc',
  })
  readonly code!: string;

  @StringField({
    example: 'hour 12: the payments are 30.00 in all, but gto is 31.00, and 35.00 with gst and svc',
  })
  readonly message!: string;
}

export class StoredHourDto {
  @IntegerField({ min: 0, max: HOURS_PER_DAY - 1, example: 12 }) readonly hour!: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'H39100001_20251003.txt',
    description: 'The `X-Upload-Source` of the upload that wrote it',
  })
  readonly source!: string | null;

  @ApiProperty({
    type: 'object',
    properties: {
      profile: { type: 'string' },
      tills: { type: 'array', items: { type: 'string' } },
    },
    nullable: true,
    description: 'The `X-Import-Source` of the upload that wrote it',
  })
  readonly import!: ImportSource | null;

  @ApiProperty({ type: 'string', format: 'date-time', example: '2025-10-16T00:07:12.345Z' })
  readonly uploaded_at!: string;
}

const ListOfDryRun = (type: Type, more = '') =>
  ApiProperty({ type: [type], required: false, description: `Only with \`dry_run\`${more}` });

export class UploadResponse {
  @ApiProperty({ type: 'boolean', example: true }) readonly success!: true;

  @IntegerField({ min: 1, max: HOURS_PER_DAY, description: 'Number of records', example: 1 })
  readonly processed!: number;

  @StringField({
    example: '1 hourly record saved for restaurant 101 (Demo Restaurant) on 2025-10-15',
  })
  readonly message!: string;

  @OptionalField()
  @IntegerField({ min: 0, example: 3, description: 'Only with `dry_run`: as of `GET daily`' })
  readonly version?: number;

  @ListOfDryRun(HourChange) readonly changes?: readonly HourChange[];
  @ListOfDryRun(UploadWarning) readonly warnings?: readonly UploadWarning[];

  @ListOfDryRun(StoredHourDto, ': the hours of the day that were uploaded before')
  readonly stored?: readonly StoredHourDto[];
}
