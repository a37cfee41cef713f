import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { defineField } from './define-field.js';
import { IntegerField, integerSchema, MAX_INTEGER, OptionalField } from './fields.decorator.js';

const AFTER = 'The `next` of the previous page';

/** The field `limit` of a query: how many items a page has at most. */
export function LimitField({
  max,
  default: initial,
}: {
  max: number;
  default: number;
}): PropertyDecorator {
  const description = `Most items per page; default: ${initial}`;
  return applyDecorators(
    OptionalField(),
    IntegerField({ in: 'query', min: 1, max, description, example: initial }),
  );
}

/** The field `after` of a query whose position is a number. */
export function AfterField(): PropertyDecorator {
  return applyDecorators(
    OptionalField(),
    IntegerField({ in: 'query', min: 1, max: MAX_INTEGER, description: AFTER, example: 12 }),
  );
}

/** The field `after` whose position is not a number; `read` gives undefined if it is invalid. */
export function CursorField(read: (text: unknown) => unknown, example: string): PropertyDecorator {
  const field = defineField({
    parse: read,
    passes: (value) => value !== null,
    message: () => 'must be the `next` of the previous page, given once',
    schema: { type: 'string' },
    description: AFTER,
    example,
  });
  return applyDecorators(OptionalField(), field);
}

/** The field `next` of a response. */
export function NextField(type: 'int32' | 'string'): PropertyDecorator {
  const description = 'Send it as `after` to get the next page; null on the last page';
  const schema = type === 'string' ? { type } : integerSchema({ min: 1, max: MAX_INTEGER });
  return ApiProperty({ ...schema, description, required: false, nullable: true });
}
