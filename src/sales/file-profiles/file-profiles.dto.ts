import { ApiProperty } from '@nestjs/swagger';
import { Checked } from '../../http/validation/define-field.js';
import { StringField } from '../../http/validation/fields.decorator.js';
import { profileFaults } from '../files/profile-faults.js';

const SCHEMA = {
  type: 'object',
  additionalProperties: true,
  description: 'How the files of one source are read; docs/files.md tells the options',
  example: {
    restaurant: { from: 'given' },
    date: { column: 'Date', order: 'dmy' },
    hour: { column: 'Time' },
    fields: {
      orders: 'Bills', gto: ['Total', '-Tax'], gst: 'Tax', svc: null, discount: null, pax: null,
      cash: 'Cash', nets: null, visa: 'Visa', master: null, amex: null, voucher: null, other: null,
    },
  },
} as const; // prettier-ignore

export class FileProfilePathDto {
  @StringField({ max: 60, example: 'harbour-till' }) readonly name!: string;
}

export class PutFileProfileDto {
  @Checked(
    (value, path) =>
      value === undefined ? [{ path, text: 'is missing' }] : profileFaults(value, path),
    SCHEMA,
  )
  readonly profile!: object;
}

export class FileProfileResponse {
  @StringField({ example: 'harbour-till' }) readonly name!: string;
  @ApiProperty(SCHEMA) readonly profile!: object;
}

/** Has every profile, by name. */
export class FileProfilesResponse {
  @ApiProperty({ type: [FileProfileResponse] }) readonly file_profiles!: FileProfileResponse[];
}
