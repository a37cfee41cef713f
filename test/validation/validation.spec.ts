import { PartialType, PickType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import * as rules from 'class-validator';
import * as fields from '../../src/http/validation/fields.decorator.js';
import { ListField } from '../../src/http/validation/list-field.decorator.js';
import { RequestPipe, validateDto } from '../../src/http/validation/request.pipe.js';

/** The response text to a body, or undefined where it is valid. */
async function errorText(Dto: new () => object, body: unknown): Promise<string | undefined> {
  const wordsOf = (error: Error): string => error.message;
  return validateDto(Dto, body).then(() => undefined, wordsOf);
}

describe('Our fields', () => {
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
  const NO_DAY = 'must be a day that exists, in the form YYYY-MM-DD';
  const NO_TEXT = 'text must be a text of 1 to 5 characters, without NUL and unpaired surrogates';
  const NO_PRICE = 'price must be a number from 0 up to but not including 100000000000';

  describe('A field', () => {
    test.each<[string | undefined, object]>([
      [undefined, { to: '2025-10-01', text: 'äöü\n\t' }],
      [undefined, { to: undefined, text: '😀😀', price: 0.07, door: 'shut' }],
      [`from ${NO_DAY}`, { from: null }],
      [`to ${NO_DAY}`, { to: null }],
      ['text is missing', { text: undefined }],
      ...['', 'abcdef', 'a\0', '\ud83d', 5].map((text): [string, object] => [NO_TEXT, { text }]),
      [`${NO_PRICE}, without quotes`, { price: '5' }],
      [NO_PRICE, { price: null }],
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
      class PageDto extends PickType(QueryDto, ['page']) {}
      expect(await errorText(ChangesDto, {})).toBeUndefined();
      expect(await errorText(ChangesDto, { to: '0', text: '' })).toBe(`to ${NO_DAY}; ${NO_TEXT}`);
      expect(await read({ page: '7' }, PageDto)).toEqual({ page: 7 });
    });
  });

  class QueryDto {
    @fields.OptionalField()
    @fields.IntegerField({ in: 'query', min: -5, max: 100 })
    readonly page: number = 1;
    @fields.OptionalField() @fields.BooleanField({ in: 'query' }) readonly all?: boolean;
  }

  test('go together with decorators of class-transformer and class-validator', async () => {
    class LabelDto {
      @rules.MaxLength(3)
      @Transform(({ value }) => String(value).trim())
      @fields.StringField()
      readonly text!: string;
    }
    expect(await validateDto(LabelDto, { text: ' a ' })).toEqual({ text: 'a' });
    const long = 'text must be shorter than or equal to 3 characters';
    expect(await errorText(LabelDto, { text: 'abcd' })).toBe(long);
  });

  const read = (query: object, metatype: new () => object = QueryDto) =>
    new RequestPipe().transform(query, { type: 'query', metatype });

  describe('A query', () => {
    test('is converted, and keeps initial values', async () => {
      const query = { page: '-5', all: 'True', other: '1' };
      expect(await read(query)).toEqual({ page: -5, all: true });
      expect(await read({ all: '0' })).toEqual({ page: 1, all: false });
    });

    test.each<[string, unknown[]]>([
      [
        'page must be an integer from -5 to 100',
        ['5.0', ' 5', '05', '-0', '', '101', '-6', {}, null],
      ],
      ['all must be true or false', ['yes', '', null]],
      ['page must be given once', [['5'], ['5', '5']]],
    ])('is refused: %s', async (text, values) => {
      for (const value of values)
        await expect(read({ [text.split(' ')[0]!]: value })).rejects.toThrow(
          expect.objectContaining({ message: text }),
        );
    });
  });

  class LineDto {
    @fields.IntegerField({ min: 1, max: 9 }) readonly amount!: number;
    @fields.OptionalField() @fields.StringField({ max: 9 }) readonly mail?: string;
  }

  class OrderDto {
    @ListField(() => LineDto, { max: 3 }) readonly lines!: LineDto[];
  }

  describe('A list', () => {
    test('reaches the handler without unknown fields', async () => {
      const sent = '{"lines":[{"amount":1,"x":2,"__proto__":{"mail":"a"}}],"x":{},"__proto__":{}}';
      const received = await validateDto(OrderDto, JSON.parse(sent));
      expect(received).toBeInstanceOf(OrderDto);
      expect(JSON.stringify(received)).toBe('{"lines":[{"amount":1}]}');
    });

    test('takes objects alone', async () => {
      for (const each of [null, 5, 'x', [], [{ amount: 1 }]])
        expect(await errorText(OrderDto, { lines: [{ amount: 1 }, each] })).toBe(
          'lines[1] must be an object',
        );
    });

    test('that is too long is told before its entries, as what is thrown', async () => {
      const text = 'lines holds 4 entries, at most 3 are allowed';
      expect(await errorText(OrderDto, { lines: Array(4).fill({}) })).toBe(text);
    });

    test('names the whole path within another list', async () => {
      class DayDto {
        @ListField(() => OrderDto, { max: 9 }) readonly orders!: OrderDto[];
      }
      const orders = [{ lines: [{ amount: 1 }, { amount: 1 }] }, { lines: [{ amount: 0 }] }];
      expect(await errorText(DayDto, { orders })).toBe(
        'orders[1].lines[0].amount must be an integer from 1 to 9',
      );
    });
  });
});

describe('Rules of class-validator', () => {
  class GuestDto {
    @rules.IsString() @rules.MaxLength(20) readonly surname!: string;
  }

  class LeaseDto {
    @rules.IsInt() readonly rooms!: number;
    @rules.IsNumber({}, { message: 'no price: $value' }) readonly rent!: number;
    @rules.IsString({ each: true }) readonly labels!: string[];
    @rules.ValidateNested() @Type(() => GuestDto) readonly tenant!: GuestDto;
    @rules.ValidateNested({ each: true }) @Type(() => GuestDto) readonly guests!: GuestDto[];
    @rules.Allow() readonly anything?: unknown;
    @fields.IntegerField({ min: 0, max: 9 }) readonly floor!: number;
  }

  const LEASE = {
    ...{ rooms: 3, rent: 950.5, labels: ['quiet', 'green'], floor: 2, tenant: { surname: 'Tan' } },
    guests: [{ surname: 'Lim' }, { surname: 'Ng' }],
  };

  const NO_OBJECT = 'each value in nested property guests must be either object or array';
  const LONG = 'surname must be shorter than or equal to 20 characters';
  const [NAMED, UNNAMED] = [{ surname: 'Lo' }, { surname: 'x'.repeat(50_000) }];

  test.each<[string | undefined, object]>([
    [undefined, { anything: {}, unknown: 1 }],
    ['rooms must be an integer number', { rooms: 1.5 }],
    ['rent is invalid: no price: x', { rent: 'x' }],
    ['labels is invalid: each value in labels must be a string', { labels: ['a', 1] }],
    [`tenant.${LONG}`, { tenant: { surname: 5 } }],
    [`guests[1].${LONG}`, { guests: [NAMED, UNNAMED] }],
    [`guests[0] is invalid: ${NO_OBJECT}`, { guests: [5] }],
    ['floor must be an integer from 0 to 9', { floor: 10 }],
    ['floor is missing', { floor: undefined }],
    [`rooms must be an integer number; guests[0].${LONG}`, { rooms: 'x', guests: [UNNAMED] }],
    [
      [...Array(10).keys()].map((at) => `guests[${at}].${LONG}`).join('; ') + '; ... and 40 more',
      { guests: Array(50).fill(UNNAMED) },
    ],
  ])('%s', async (text, changes) => {
    expect(await errorText(LeaseDto, { ...LEASE, ...changes })).toBe(text);
  });

  test('An object that is nested too deeply does not exhaust the stack', async () => {
    const deep = `{"anything": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(await errorText(LeaseDto, JSON.parse(deep))).toBe('the body is nested too deeply');
  });

  test('An object is not accepted in place of its prototype', async () => {
    const hostile = '{"__proto__": {"surname": "Tan"}, "constructor": {"name": "x"}}';
    expect(await errorText(GuestDto, JSON.parse(hostile))).toBe(LONG);
  });

  test('A class without rules, and a nested one that is not named, reject everything', async () => {
    class UnruledDto {
      readonly field?: unknown;
    }
    class UntypedDto {
      @rules.ValidateNested() readonly person!: GuestDto;
    }
    const unknown = 'an unknown value was passed to the validate function';
    expect(await errorText(UnruledDto, { field: 1 })).toContain(unknown);
    const untyped = await errorText(UntypedDto, { person: { surname: 'Tan' } });
    expect(untyped).toBe(`person is invalid: ${unknown}`);
  });
});
