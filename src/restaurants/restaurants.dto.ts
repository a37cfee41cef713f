import { ApiProperty } from '@nestjs/swagger';
import {
  AfterField,
  BooleanField,
  DateField,
  IntegerField,
  NextField,
  OptionalField,
  StringField,
} from '../http/validation/fields.decorator.js';

class RestaurantClosureDto {
  @DateField({ example: '2025-12-24' }) readonly first_day!: string;

  @ApiProperty({
    type: 'string',
    format: 'date',
    example: '2025-12-26',
    nullable: true,
    description: 'null: until further notice',
  })
  readonly last_day!: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Christmas' })
  readonly reason!: string | null;
}

export class GrantedRestaurant {
  @IntegerField({ min: 1, description: 'Identifier, assigned by the administrator', example: 101 })
  readonly restaurant_id!: number;

  @StringField({ description: 'Name of the restaurant', example: 'Demo Restaurant' })
  readonly name!: string;

  @DateField({
    description: 'The day from which on it is expected to send; earlier days are accepted',
    example: '2025-01-01',
  })
  readonly first_day!: string;

  @ApiProperty({
    type: [String],
    minItems: 7,
    maxItems: 7,
    description:
      'The hours that it is expected to send, by weekday, Monday first; empty on a day off',
    example: ['', ...Array<string>(6).fill('18:00-24:00,00:00-02:00')],
  })
  readonly weekly_hours!: string[];

  @ApiProperty({ type: [RestaurantClosureDto], description: 'Current and future ones, by date' })
  readonly closures!: RestaurantClosureDto[];
}

export class RestaurantsQueryDto {
  @OptionalField()
  @StringField({
    max: 200,
    description:
      'A number, or words that begin words of the name or a text in it; accents and case do not matter',
  })
  readonly search?: string;

  @OptionalField()
  @IntegerField({
    in: 'query',
    min: 1,
    max: 1000,
    description: 'Most items per page; default: all',
  })
  readonly limit?: number;
  @AfterField() readonly after?: number;
}

/** The caller, and the restaurants that it may upload for, by id. */
export class RestaurantsResponse {
  @StringField({ example: 'demo' }) readonly username!: string;

  @BooleanField({
    description: 'Whether the caller may upload for all, also future ones',
    example: false,
  })
  readonly all_restaurants!: boolean;

  @StringField({ example: 'Asia/Singapore' }) readonly time_zone!: string;

  @StringField({ example: 'SGD', description: 'The currency of all amounts, of ISO 4217' })
  readonly currency!: string;

  @DateField({ example: '2025-10-16', description: "Today's date in the service's time zone" })
  readonly today!: string;

  @IntegerField({ min: 0, description: 'How many it may upload for in all', example: 1 })
  readonly count!: number;

  @ApiProperty({ type: () => GrantedRestaurant, isArray: true })
  readonly restaurants!: GrantedRestaurant[];

  @NextField('int32') readonly next!: number | null;
}
