import { HOURS_FORM, parseHours } from '../calendar/hour-set.js';
import { type Check, Checked, defineField } from '../http/validation/define-field.js';
import {
  BooleanField,
  DateField,
  IntegerField,
  isId,
  MAX_INTEGER,
  OptionalField,
  StringField,
} from '../http/validation/fields.decorator.js';
import { ListField } from '../http/validation/list-field.decorator.js';
import { SALES_FIELDS, type SentUpload } from '../sales/fields/sales-fields.js';
import { recordFaults } from '../sales/uploads/upload.pipe.js';
import { RECORDS_SCHEMA } from '../sales/uploads/upload-daily.dto.js';

const LIMITS = { max: 100_000 };

const Username = StringField({ max: 200, example: 'till' });

const RestaurantIds = defineField({
  passes: (value) => Array.isArray(value) && value.every(isId),
  message: () => `must be a list of integers from 1 to ${MAX_INTEGER}`,
  schema: { type: 'integer', isArray: true, minimum: 1, maximum: MAX_INTEGER },
});

const isHours = (value: unknown): boolean =>
  value === '' || (typeof value === 'string' && parseHours(value) !== undefined);

const WeeklyHours = defineField({
  passes: (value) => Array.isArray(value) && value.length === 7 && value.every(isHours),
  message: () => `must be seven texts, Monday first: ${HOURS_FORM}`,
  schema: { type: 'string', isArray: true, minItems: 7, maxItems: 7 },
  description: `The hours that are expected, Monday first: ${HOURS_FORM}; default: all`,
});

class FixtureClosure {
  @DateField() readonly first_day!: string;
  @OptionalField() @DateField() readonly last_day?: string;
  @OptionalField() @StringField({ max: 200, example: 'Christmas' }) readonly reason?: string;
}

class FixtureRestaurant {
  @IntegerField({ min: 1, example: 101 }) readonly restaurant_id!: number;
  @StringField({ max: 200, example: 'Harbour Grill' }) readonly name!: string;

  @OptionalField()
  @DateField({ description: 'The first day that is expected; default: 0001-01-01' })
  readonly first_day?: string;

  @OptionalField() @WeeklyHours readonly weekly_hours?: string[];
  @OptionalField() @ListField(() => FixtureClosure, LIMITS) readonly closures?: FixtureClosure[];
}

export type { FixtureRestaurant };

export class FixtureUser {
  @Username readonly username!: string;
  @OptionalField() @StringField({ max: 72 }) readonly password?: string;
  @OptionalField() @RestaurantIds readonly restaurant_ids?: number[];
  @OptionalField() @BooleanField() readonly all_restaurants?: boolean;
  @OptionalField() @BooleanField() readonly disabled?: boolean;
}

const RECORD_NAMES = ['restaurant_id', 'date', 'hour', ...SALES_FIELDS.map(({ name }) => name)];

/** Finds what the upload route rejects, and the names that it ignores. */
const checkRecords: Check = (value, path) => {
  const faults = recordFaults(value, path);
  if (faults.length > 0) return faults;
  return (value as SentUpload['records']).flatMap((record, index) =>
    Object.keys(record)
      .filter((name) => !RECORD_NAMES.includes(name))
      .map((name) => {
        const text = `is not known; there are ${RECORD_NAMES.join(', ')}`;
        return { path: `${path}[${index}].${name}`, text };
      }),
  );
};

class FixtureUpload implements SentUpload {
  @Checked(checkRecords, RECORDS_SCHEMA) readonly records!: SentUpload['records'];
  @Username readonly username!: string;
}

/** Data that a test begins with; uploads are sent in this order. */
export class FixturesDto {
  /** The name of the JSON schema, for editors. */
  @OptionalField() @StringField() readonly $schema?: string;

  @OptionalField()
  @ListField(() => FixtureRestaurant, LIMITS)
  readonly restaurants?: FixtureRestaurant[];

  @OptionalField() @ListField(() => FixtureUser, LIMITS) readonly users?: FixtureUser[];

  @OptionalField() @ListField(() => FixtureUpload, LIMITS) readonly uploads?: FixtureUpload[];
}

export type Fixtures = FixturesDto;
