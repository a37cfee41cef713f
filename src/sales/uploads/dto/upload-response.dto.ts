import { ApiProperty } from '../../../http/openapi/openapi.decorator.js';
import { StringField, IntegerField } from '../../../http/validation/fields.decorator.js';

/** The answer to an upload. */
export class UploadResponse {
  @ApiProperty({ type: 'boolean', enum: [true], description: 'An upload that fails is answered with an error' })
  readonly success!: true;

  @IntegerField({ min: 1, max: 24, description: 'How many records were saved', example: 24 })
  readonly processed!: number;

  @StringField({
    description: 'Names the restaurant and the date',
    example: '24 hourly records saved for restaurant 101 (Harbour Grill) on 2025-10-15',
  })
  readonly message!: string;
}
