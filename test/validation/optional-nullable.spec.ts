import { IsEmail } from 'class-validator';
import { compileDto } from '../../src/http/validation/compile-dto.js';
import {
  DateField,
  NotBefore,
  NullableField,
  OptionalField,
  QueryIntegerField,
  StringField,
  TextField,
} from '../../src/http/validation/fields.decorator.js';
import { ListField } from '../../src/http/validation/list-field.decorator.js';
import { RequestValidationPipe } from '../../src/http/validation/request-validation.pipe.js';
import { compiledErrors, nestErrors } from '../support/validation-errors.js';

class NoticeDto {
  @DateField() readonly from!: string;
  @OptionalField() @NullableField() @DateField() @NotBefore('from') readonly to?: string | null;
  @NullableField() @StringField({ max: 5 }) readonly text!: string | null;
}

class NoticesDto {
  @ListField(() => NoticeDto, { min: 1, max: 9 }) readonly notices!: NoticeDto[];
}

const WRONG_TEXT = 'text must be a non-empty string of at most 5 characters';

describe('an optional field may be left out, a nullable one be null, and a compared one fits the other', () => {
  test.each<[object, string[]]>([
    [{ from: '2025-10-01', to: '2025-10-01', text: 'a' }, []],
    [{ from: '2025-10-01', text: null }, []],
    [{ from: '2025-10-01', to: null, text: null }, []],
    [{ from: '2025-10-02', to: '2025-10-01', text: null }, ['to must not be before from']],
    [{ from: '2025-10-02', to: '2025-10-01', text: '' }, [WRONG_TEXT, 'to must not be before from']],
    [{ from: null, to: '2025-10-01', text: 'a' }, ['from must be a day that exists, in the form YYYY-MM-DD']],
    [{ from: '2025-10-02', to: '0', text: 'a' }, ['to must be a day that exists, in the form YYYY-MM-DD']],
    [{ from: '2025-10-02' }, ['text is missing']],
  ])('%j: %j', async (body, errors) => {
    expect(compiledErrors(NoticeDto, body)).toEqual(errors);
    expect((await nestErrors(NoticeDto, body)).sort()).toEqual([...errors].sort());
    const inList = errors.map((text) => `notices[0].${text}`);
    expect(compiledErrors(NoticesDto, { notices: [body] })).toEqual(inList);
    expect((await nestErrors(NoticesDto, { notices: [body] })).sort()).toEqual([...inList].sort());
  });

  test('a text is what PostgreSQL can store', () => {
    class StoredDto {
      @TextField({ max: 5 }) readonly text!: string;
    }
    for (const text of ['a', 'äöü\n\t', '😀😀']) expect(compiledErrors(StoredDto, { text })).toEqual([]);
    for (const text of ['', 'abcdef', 'a\0', '\ud83d', 'a\ude00', 5, null])
      expect(compiledErrors(StoredDto, { text })).toEqual([expect.stringMatching(/^text must be a text of 1 to 5/)]);
  });

  test('numbers of a query are compared as numbers', () => {
    class RangeDto {
      @QueryIntegerField({ min: 1, max: 99 }) readonly first!: number;
      @QueryIntegerField({ min: 1, max: 99 }) @NotBefore('first') readonly last!: number;
    }
    const transform = (value: object) =>
      new RequestValidationPipe().transform(value, { type: 'query', metatype: RangeDto });
    expect(transform({ first: '9', last: '10' })).toEqual({ first: 9, last: 10 });
    expect(() => transform({ first: '10', last: '9' })).toThrow('last must not be before first');
  });

  test('a comparison with an unknown field stops the start, also with rules of class-validator', () => {
    class OtherDto {
      @DateField() @NotBefore('form') readonly to!: string;
      @IsEmail() readonly email!: string;
    }
    expect(() => compileDto(OtherDto)).toThrow('OtherDto has no rule for form');
  });
});
