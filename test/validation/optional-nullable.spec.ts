import { IsEmail } from 'class-validator';
import { compileDto } from '../../src/http/validation/compile-dto.js';
import {
  DateField,
  EnumField,
  NotBefore,
  NotLessThan,
  NullableField,
  NumberField,
  OptionalField,
  QueryIntegerField,
  StringField,
  TextField,
} from '../../src/http/validation/fields.decorator.js';
import { ListField } from '../../src/http/validation/list-field.decorator.js';
import { RequestValidationPipe } from '../../src/http/validation/request-validation.pipe.js';
import { PartialDto } from '../../src/http/validation/partial-dto.js';
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
      @QueryIntegerField({ min: 1, max: 99 }) @NotLessThan('first') readonly last!: number;
    }
    const transform = (value: object) =>
      new RequestValidationPipe().transform(value, { type: 'query', metatype: RangeDto });
    expect(transform({ first: '9', last: '10' })).toEqual({ first: 9, last: 10 });
    expect(() => transform({ first: '10', last: '9' })).toThrow('last must not be less than first');
  });

  test('a number may be negative and have decimals; a word is one of a list', () => {
    class FridgeDto {
      @NumberField({ min: -30, max: 20.5 }) readonly celsius!: number;
      @EnumField(['open', 'shut']) readonly door!: string;
    }
    for (const celsius of [-30, -0.5, 20.5]) expect(compiledErrors(FridgeDto, { celsius, door: 'shut' })).toEqual([]);
    for (const celsius of [-30.1, 20.6, '5', null])
      expect(compiledErrors(FridgeDto, { celsius, door: 'ajar' })).toEqual([
        'celsius must be a number from -30 to 20.5',
        'door must be "open" or "shut"',
      ]);
  });

  describe('a part of another DTO', () => {
    class ChangesDto extends PartialDto(NoticeDto, 'to', 'text') {}
    class RangeDto extends PartialDto(NoticeDto, 'from', 'to') {}

    test.each<[object, string[]]>([
      [{}, []],
      [{ to: null }, []],
      [{ to: '2025-10-01', text: 'a' }, []],
      [{ to: '0', text: '' }, ['to must be a day that exists, in the form YYYY-MM-DD', WRONG_TEXT]],
    ])('%j: %j', async (body, errors) => {
      expect(compiledErrors(ChangesDto, body)).toEqual(errors);
      expect(await nestErrors(ChangesDto, body)).toEqual(errors);
    });

    test('compares what is sent', () => {
      expect(compiledErrors(RangeDto, { to: '2025-10-01' })).toEqual([]);
      expect(compiledErrors(RangeDto, { from: '2025-10-02', to: '2025-10-01' })).toEqual([
        'to must not be before from',
      ]);
      expect(compiledErrors(RangeDto, { from: null })).toHaveLength(1);
    });

    test('gives the handler its own fields alone', () => {
      const sent = { text: 'a', from: '2025-10-01', id: 7 };
      const received = new RequestValidationPipe().transform(sent, { type: 'body', metatype: ChangesDto });
      expect(received).toEqual({ text: 'a' });
    });

    test('takes no rules but ours', () => {
      class OtherDto {
        @IsEmail() readonly email!: string;
      }
      expect(() => PartialDto(OtherDto, 'email')).toThrow('OtherDto.email: PartialDto takes our field decorators only');
    });
  });

  test('a comparison with an unknown field stops the start, also with rules of class-validator', () => {
    class OtherDto {
      @DateField() @NotBefore('form') readonly to!: string;
      @IsEmail() readonly email!: string;
    }
    expect(() => compileDto(OtherDto)).toThrow('OtherDto has no rule for form');
  });
});
