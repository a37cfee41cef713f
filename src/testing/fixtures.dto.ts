import {
  BooleanField,
  DateField,
  IntegerField,
  MAX_INTEGER,
  OptionalField,
  StringField,
} from '../http/validation/fields.decorator.js';
import { defineField } from '../http/validation/define-field.js';
import { ListField } from '../http/validation/list-field.decorator.js';
import { UploadDailyDto } from '../sales/uploads/dto/upload-daily.dto.js';

const MAX_ENTRIES = 100_000;

const Username = StringField({
  max: 200,
  description: 'Name that the user logs in with',
  example: 'till',
});

const RestaurantIds = defineField({
  passes: (value) =>
    Array.isArray(value) &&
    value.every((id) => Number.isInteger(id) && id >= 1 && id <= MAX_INTEGER),
  message: () => `must be a list of integers from 1 to ${MAX_INTEGER}`,
  schema: { type: 'integer', isArray: true, minimum: 1, maximum: MAX_INTEGER },
  description: 'Restaurants that the user may upload for',
  example: [101],
});

class FixtureRestaurant {
  @IntegerField({
    min: 1,
    max: MAX_INTEGER,
    description: 'Identifier that uploads name',
    example: 101,
  })
  readonly restaurant_id!: number;

  @StringField({ max: 200, description: 'Its name', example: 'Harbour Grill' })
  readonly name!: string;

  @OptionalField()
  @DateField({ description: 'First day on which it is closed', example: '2026-01-01' })
  readonly closed_from?: string;
}

class FixtureUser {
  @Username readonly username!: string;

  @OptionalField()
  @StringField({
    max: 72,
    description: 'Left out, the user has an unknown password',
    example: 'a long passphrase',
  })
  readonly password?: string;

  @OptionalField() @RestaurantIds readonly restaurant_ids?: number[];

  @OptionalField()
  @BooleanField({ description: 'Whether the user may upload for every restaurant' })
  readonly all_restaurants?: boolean;
  @OptionalField()
  @BooleanField({ description: 'Whether the user cannot log in' })
  readonly disabled?: boolean;
}

class FixtureUpload extends UploadDailyDto {
  @Username readonly username!: string;
}

/** Data that a test begins with; loading it again changes nothing. */
export class FixturesDto {
  @OptionalField()
  @ListField(() => FixtureRestaurant, { max: MAX_ENTRIES, uniqueBy: 'restaurant_id' })
  readonly restaurants?: FixtureRestaurant[];

  @OptionalField()
  @ListField(() => FixtureUser, { max: MAX_ENTRIES, uniqueBy: 'username' })
  readonly users?: FixtureUser[];

  @OptionalField()
  @ListField(() => FixtureUpload, {
    max: MAX_ENTRIES,
    description: 'In the order in which they are sent',
  })
  readonly uploads?: FixtureUpload[];
}

export type Fixtures = FixturesDto;
