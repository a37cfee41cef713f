import { OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import * as rules from 'class-validator';
import { IsEmail, IsIn } from 'class-validator';
import * as fields from '../../src/http/validation/fields.decorator.js';
import { IntegerField } from '../../src/http/validation/fields.decorator.js';
import { defineField } from '../../src/http/validation/define-field.js';
import { ListField } from '../../src/http/validation/list-field.decorator.js';
import { RequestPipe, Uncopied, validateDto } from '../../src/http/validation/request.pipe.js';
import { errorText } from './validation-errors.js';

describe('Our fields', () => {
  const NO_DAY = 'must be a day that exists, in the form YYYY-MM-DD';

  class NoticeDto {
    @fields.DateField() readonly from!: string;
    @fields.OptionalField() @fields.DateField() readonly to?: string;
    @fields.StringField({ max: 5 }) readonly text!: string;
    @fields.OptionalField() @fields.AmountField() readonly price?: number;
    @fields.OptionalField() @fields.EnumField(['open', 'shut']) readonly door?: string;
  }

  class NoticesDto {
    @ListField(() => NoticeDto, { max: 9 }) readonly notices!: NoticeDto[];
  }

  const VALID = { from: '2025-10-01', text: 'a' };
  const NO_TEXT = 'text must be a text of 1 to 5 characters, without NUL and unpaired surrogates';
  const NO_PRICE = 'price must be a number from 0 up to but not including 100000000000';

  describe('A field', () => {
    test.each<[string | undefined, object]>([
      [undefined, { to: '2025-10-01', text: 'äöü\n\t' }],
      [undefined, { price: 0.07, door: 'open' }],
      [undefined, { to: undefined, text: '😀😀', price: 100, door: 'shut' }],
      [`from ${NO_DAY}`, { from: null }],
      [`to ${NO_DAY}`, { to: '0' }],
      [`to ${NO_DAY}`, { to: null }],
      ['text is missing', { text: undefined }],
      ...['', 'abcdef', 'a\0', '\ud83d', 5].map((text): [string, object] => [NO_TEXT, { text }]),
      ...['5', true, null].map((price): [string, object] => [NO_PRICE, { price }]),
      ['door must be "open" or "shut"', { door: 'ajar' }],
      [`from is missing; ${NO_TEXT}`, { from: undefined, text: '' }],
    ])('says in a DTO and in a plain list: %s', async (text, changes) => {
      const notice = { ...VALID, ...changes };
      expect(await errorText(NoticeDto, notice)).toBe(text);
      const inList = text?.split('; ').map((each) => `notices[0].${each}`);
      expect(await errorText(NoticesDto, { notices: [notice] })).toBe(inList?.join('; '));
    });

    test("can be taken over by Nest's mapped types", async () => {
      class ChangesDto extends PartialType(PickType(NoticeDto, ['to', 'text'])) {}
      class UnpricedDto extends OmitType(NoticeDto, ['price']) {}
      expect(await errorText(ChangesDto, {})).toBeUndefined();
      expect(await errorText(ChangesDto, { to: '0', text: '' })).toBe(`to ${NO_DAY}; ${NO_TEXT}`);
      expect(await errorText(UnpricedDto, { text: 'a', price: -1 })).toBe('from is missing');
      const pipe = new RequestPipe();
      class PageDto extends PickType(QueryDto, ['page']) {}
      expect(await pipe.transform({ page: '7' }, { type: 'query', metatype: PageDto })).toEqual({
        page: 7,
      });
    });
  });

  const PositionField = defineField({
    parse: (text) => (text === 'x' ? { at: 'x' } : undefined),
    passes: (value) => value !== null,
    message: () => 'must be a position',
    schema: { type: 'string' },
  });

  class QueryDto {
    @fields.OptionalField()
    @fields.IntegerField({ in: 'query', min: -5, max: 100 })
    readonly page: number = 1;
    @fields.OptionalField() @fields.BooleanField({ in: 'query' }) readonly all?: boolean;
    @fields.LimitField({ max: 9, default: 5 }) readonly limit?: number;
    @fields.OptionalField() @PositionField readonly after?: object;
    @fields.OptionalField() @IsIn(['asc', 'desc']) readonly order?: string;
  }

  describe('A query', () => {
    const read = (query: object) =>
      new RequestPipe().transform(query, { type: 'query', metatype: QueryDto });

    test('is converted, and keeps initial values', async () => {
      const query = { page: '-5', all: 'True', limit: '9', after: 'x', order: 'asc', other: '1' };
      expect(await read(query)).toEqual({
        ...{ page: -5, all: true, limit: 9 },
        ...{ after: { at: 'x' }, order: 'asc' },
      });
      expect(await read({ all: '0' })).toEqual({ page: 1, all: false });
    });

    test.each<[string, unknown[]]>([
      [
        'page',
        ['5.0', ' 5', '5 ', '0x5', '', '05', '+5', '-0', '101', '-6', '1e2', ['5'], {}, null],
      ],
      ['all', ['yes', '', 'truefalse', ['true'], ['true', 'false'], {}, null]],
      ['limit', ['0', '10', ['1', '2']]],
      ['after', ['y', '', ['x'], ['x', 'x'], null, {}]],
      ['order', ['up', ['asc'], null]],
    ])('is refused for a wrong %s', async (name, values) => {
      for (const value of values)
        await expect(read({ [name]: value })).rejects.toThrow(new RegExp(`^${name} must be `));
    });
  });

  test('A path has integers', async () => {
    class PathDto {
      @fields.IntegerField({ in: 'path', min: 1, max: 100 }) readonly id!: number;
    }
    const read = (id: string) =>
      new RequestPipe().transform({ id }, { type: 'param', metatype: PathDto });
    expect(await read('7')).toEqual({ id: 7 });
    for (const id of ['5.0', '05', '', '0', '101', 'x'])
      await expect(read(id)).rejects.toThrow('id must be an integer from 1 to 100');
  });

  class LineDto {
    @fields.IntegerField({ min: 1, max: 9 }) readonly amount!: number;
    @fields.OptionalField() @fields.StringField({ max: 9 }) readonly mail?: string;
  }

  class OrderDto {
    @ListField(() => LineDto, {
      ...{ max: 3, empty: 'leave it out', uniqueBy: 'mail' },
      sameValue: { fields: ['amount'], because: 'one order' },
    })
    readonly lines!: LineDto[];
  }

  describe('A list', () => {
    const line = (amount: unknown, mail?: unknown) => ({ amount, mail });
    test.each<[string | undefined, unknown]>([
      [undefined, [line(1, 'a@b.sg'), line(1), line(1)]], // what is left out is not repeated
      ['lines is empty: leave it out', []],
      ['lines holds 4 entries, at most 3 are allowed', Array(4).fill({})],
      ['lines[0].amount must be an integer from 1 to 9', [line(0), line(1)]],
      ['lines[1].mail repeats lines[0].mail (a@b.sg)', [line(1, 'a@b.sg'), line(1, 'a@b.sg')]],
    ])('%s', async (text, lines) => expect(await errorText(OrderDto, { lines })).toBe(text));

    test('of plain objects reaches the handler without unknown fields', async () => {
      @Uncopied()
      class UncopiedOrderDto extends OrderDto {}
      const sent = '{"lines":[{"amount":1,"x":2,"__proto__":{"mail":"a"}}],"x":{},"__proto__":{}}';
      for (const Dto of [OrderDto, UncopiedOrderDto]) {
        const received = await validateDto(Dto, JSON.parse(sent));
        expect(received).toBeInstanceOf(Dto);
        expect(JSON.stringify(received)).toBe('{"lines":[{"amount":1}]}');
      }
    });

    test('names the whole path within another list', async () => {
      class DayDto {
        @ListField(() => OrderDto, { max: 9 }) readonly orders!: OrderDto[];
      }
      const orders = [{ lines: [line(1, 'a@b.sg'), line(1, 'a@b.sg')] }, { lines: [line(0)] }];
      expect(await errorText(DayDto, { orders })).toBe(
        'orders[0].lines[1].mail repeats orders[0].lines[0].mail (a@b.sg); ' +
          'orders[1].lines[0].amount must be an integer from 1 to 9',
      );
    });

    test('of entries with other rules is refused', async () => {
      class LetterDto {
        @IsEmail() @fields.StringField() readonly mail!: string;
      }
      class LettersDto {
        @ListField(() => LetterDto, { max: 9 }) readonly letters!: LetterDto[];
      }
      expect(await errorText(LettersDto, { letters: [{}] })).toMatch(/^LetterDto: its fields need/);
    });
  });
});

describe('Rules of class-validator', () => {
  @rules.ValidatorConstraint({ name: 'free', async: true })
  class Free implements rules.ValidatorConstraintInterface {
    validate = (value: unknown) => Promise.resolve(value !== 'taken');
    defaultMessage = () => '$property $value is taken';
  }

  class PersonDto {
    @rules.IsString() @rules.MaxLength(20) readonly surname!: string;
    @rules.IsOptional() @rules.Matches(/^\d{4}$/) readonly postcode?: string;
  }

  class ContractDto {
    @rules.IsIn(['lease', 'sale']) readonly genre!: string;
  }

  /** One of nearly every kind of rule that class-validator has. */
  class LeaseDto extends ContractDto {
    @rules.IsInt() readonly rooms!: number;
    @rules.IsNumber({}, { message: 'no price: $value' }) readonly rent!: number;
    @rules.ArrayMaxSize(3) @rules.IsString({ each: true }) readonly labels!: string[];
    @rules.ValidateNested() @Type(() => PersonDto) readonly tenant!: PersonDto;
    @rules.IsOptional()
    @rules.ValidateNested({ each: true })
    @Type(() => PersonDto)
    readonly guests?: PersonDto[];
    @rules.ValidateIf((lease: LeaseDto) => lease.genre === 'lease')
    @rules.IsBoolean()
    readonly limited?: boolean;
    @rules.Validate(Free) readonly keyword!: string;
    @rules.IsDate() @Type(() => Date) readonly begin!: Date;
    @rules.Length(2, 5)
    @Transform(({ value }: { value: string }) => value.trim())
    readonly code!: string;
    @rules.Allow() readonly anything?: unknown;
    @IntegerField({ min: 0, max: 9 }) readonly floor!: number;
    readonly size: number = 5;
  }

  const LEASE = {
  genre: 'lease', rooms: 3, rent: 950.5, labels: ['quiet', 'green'], limited: true, keyword: 'flat', floor: 2,
  tenant: { surname: 'Tan', postcode: '1234' }, guests: [{ surname: 'Lim' }, { surname: 'Ng', postcode: '9999' }],
  begin: '2025-10-15', code: ' ab ', anything: {}, unknown: { field: 1 },
}; // prettier-ignore

  const lease = (changes: object) => errorText(LeaseDto, { ...LEASE, ...changes });

  describe('a DTO with rules of class-validator', () => {
    test('reaches the handler as an instance, converted, without unknown fields', async () => {
      const received = await validateDto(LeaseDto, structuredClone(LEASE));
      expect(received).toBeInstanceOf(LeaseDto);
      expect(received).toMatchObject({ begin: new Date('2025-10-15'), code: 'ab', anything: {} });
      expect(received.guests?.[1]).toBeInstanceOf(PersonDto);
      expect(received).not.toHaveProperty('unknown');
    });

    test.each([
    ['rooms must be an integer number', { rooms: 1.5 }],
    ['rent is invalid: no price: x', { rent: 'x' }],
    ['labels is invalid: each value in labels must be a string', { labels: ['a', 1] }],
    ['tenant.surname must be a string', { tenant: { surname: 5 } }],
    ['guests[1].postcode must match /^\\d{4}$/ regular expression', { guests: [{ surname: 'Ng' }, { surname: 'Lo', postcode: '$&' }] }],
    ['guests[0] is invalid: each value in nested property guests must be either object or array', { guests: [5] }],
    ['keyword taken is taken', { keyword: 'taken' }],
    ['floor must be an integer from 0 to 9', { floor: 10 }],
    ['floor is missing', { floor: undefined }],
  ])('%s', async (text, changes) => {
    expect(await lease(changes)).toContain(text);
  }); // prettier-ignore

    test('gets every error reported, the first ten in words', async () => {
      expect(await lease({ rooms: 'x', guests: [{ surname: 1 }, null] })).toBe(
        'rooms must be an integer number; guests[0].surname must be shorter than or equal to 20 characters; ' +
          'guests[0].surname must be a string; guests[1] is invalid: each value in nested property guests must be either object or array',
      );
      const guests = Array.from({ length: 50 }, () => ({ surname: 'x'.repeat(50_000) }));
      const text = await lease({ guests });
      expect(text).toMatch(/^guests\[0]\.surname must be shorter .*; \.\.\. and 40 more$/);
    });

    test('does not exhaust the stack', async () => {
      const deep = `{"anything": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
      expect(await errorText(LeaseDto, JSON.parse(deep))).toBe('the body is nested too deeply');
    });

    test('does not accept an object in place of its prototype', async () => {
      const hostile = '{"__proto__": {"surname": "Tan"}, "constructor": {"name": "x"}}';
      expect(await errorText(PersonDto, JSON.parse(hostile))).toContain('surname must be a string');
    });

    test('whose nested class is not named rejects everything in it', async () => {
      class UntypedDto {
        @rules.ValidateNested() readonly person!: PersonDto;
      }
      expect(await errorText(UntypedDto, { person: { surname: 'Tan' } })).toContain(
        'person is invalid: an unknown value',
      );
    });
  });

  describe('the pipe', () => {
    const pipe = new RequestPipe();
    test('refuses a class without rules', async () => {
      class UnruledDto {
        readonly field?: unknown;
      }
      expect(await errorText(UnruledDto, { field: 1 })).toContain('unknown value');
    });

    test('converts single parameters as that of Nest does', async () => {
      expect(await pipe.transform('5', { type: 'query', metatype: Number, data: 'page' })).toBe(5);
      expect(await pipe.transform({}, { type: 'custom', metatype: Object })).toEqual({});
    });
  });
});
