import { Documented } from '../../../http/openapi/api-property.decorator.js';
import { Text, WholeNumber } from '../../../http/validation/fields.decorator.js';

/** The answer to an upload. */
export class UploadResponse {
  @Documented({ type: 'boolean', enum: [true], description: 'An upload that fails is answered with an error' })
  readonly success!: true;

  @WholeNumber({ min: 1, max: 24, description: 'How many records were saved', example: 24 })
  readonly processed!: number;

  @Text({
    description: 'Names the restaurant and the date',
    example: '24 hourly records saved for restaurant 101 (Harbour Grill) on 2025-10-15',
  })
  readonly message!: string;
}
