import { Transform, Type } from 'class-transformer';
import * as rules from 'class-validator';
import { IntegerField, OptionalField, QueryIntegerField } from '../../src/http/validation/fields.decorator.js';
import { ListField } from '../../src/http/validation/list-field.decorator.js';
import { validate } from '../../src/http/validation/request-validation.pipe.js';
import { errorText } from '../support/validation-errors.js';

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
  @rules.IsOptional() @rules.ValidateNested({ each: true }) @Type(() => PersonDto) readonly guests?: PersonDto[];
  @rules.ValidateIf((lease: LeaseDto) => lease.genre === 'lease') @rules.IsBoolean() readonly limited?: boolean;
  @rules.Validate(Free) readonly keyword!: string;
  @rules.IsDate() @Type(() => Date) readonly begin!: Date;
  @rules.Length(2, 5) @Transform(({ value }: { value: string }) => value.trim()) readonly code!: string;
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
    const received = await validate(LeaseDto, structuredClone(LEASE), 'body');
    expect(received).toBeInstanceOf(LeaseDto);
    expect(received).toMatchObject({ begin: new Date('2025-10-15'), code: 'ab', anything: {} });
    expect((received as LeaseDto).guests?.[1]).toBeInstanceOf(PersonDto);
    expect(received).not.toHaveProperty('unknown');
  });

  test.each([
    ['rooms must be an integer number', { rooms: 1.5 }],
    ['rent: no price: x', { rent: 'x' }],
    ['each value in labels must be a string', { labels: ['a', 1] }],
    ['labels must contain no more than 3 elements', { labels: ['a', 'b', 'c', 'd'] }],
    ['genre must be one of the following values: lease, sale', { genre: 'gift' }],
    ['tenant.surname must be a string', { tenant: { surname: 5 } }],
    ['guests[1].postcode must match /^\\d{4}$/ regular expression', { guests: [{ surname: 'Ng' }, { surname: 'Lo', postcode: '$&' }] }],
    ['each value in nested property guests[0] must be either object or array', { guests: [5] }],
    ['limited must be a boolean value', { limited: 'yes' }],
    ['keyword taken is taken', { keyword: 'taken' }],
    ['begin must be a Date instance', { begin: 'soon' }],
    ['code must be longer than or equal to 2 characters', { code: ' a   ' }],
    ['floor must be an integer from 0 to 9', { floor: 10 }],
    ['floor is missing', { floor: undefined }],
  ])('%s', async (text, changes) => {
    expect(await lease(changes)).toContain(text);
  }); // prettier-ignore

  test('accepts what its conditions exempt', async () => {
    expect(await lease({ genre: 'sale', limited: 'no', guests: undefined })).toBeUndefined();
  });

  test('gets every error reported, the first ten in words', async () => {
    expect(await lease({ rooms: 'x', guests: [{ surname: 1 }, null] })).toBe(
      'rooms must be an integer number; guests[0].surname must be shorter than or equal to 20 characters; ' +
        'guests[0].surname must be a string; each value in nested property guests[1] must be either object or array',
    );
    const guests = Array.from({ length: 50 }, () => ({ surname: 'x'.repeat(50_000) }));
    const text = await lease({ guests });
    expect(text).toMatch(/^guests\[0]\.surname must be shorter .*; \.\.\. and 40 more$/);
  });

  test('does not exhaust the stack', async () => {
    const deep = `{"anything": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(await errorText(LeaseDto, deep)).toBe('the body is nested too deeply');
  });

  test('does not accept an object in place of its prototype', async () => {
    const text = await errorText(PersonDto, '{"__proto__": {"surname": "Tan"}, "constructor": {"name": "x"}}');
    expect(text).toContain('surname must be a string');
  });

  test('whose nested class is not named rejects everything in it', async () => {
    class UntypedDto {
      @rules.ValidateNested() readonly person!: PersonDto;
    }
    expect(await errorText(UntypedDto, { person: { surname: 'Tan' } })).toContain('person: an unknown value');
  });
});

describe('a list of ours in such a DTO', () => {
  class LineDto {
    @IntegerField({ min: 1, max: 9 }) readonly amount!: number;
    @OptionalField() @rules.IsEmail() readonly mail?: string;
  }
  class OrderDto {
    @ListField(() => LineDto, {
      min: 1, max: 3, tooMany: 413, uniqueBy: 'mail', sameValue: { fields: ['amount'], because: 'one order' },
    }) // prettier-ignore
    readonly lines!: LineDto[];
  }
  const line = (amount: unknown, mail?: unknown) => ({ amount, mail });
  const order = (...lines: unknown[]) => errorText(OrderDto, { lines });

  test.each([
    [undefined, [line(1, 'a@b.sg'), line(1, 'c@b.sg'), line(1)]],
    ['lines must hold at least 1 entry', []],
    ['lines holds 4 entries, at most 3 are allowed', [line(0), 5, line(1), line(1)]],
    ['lines[1] must be an object', [line(1), [line(0)]]],
    ['lines[0].amount must be an integer from 1 to 9', [line(0), line(1)]],
    ['lines[1].amount must be the same as in lines[0] (1): one order', [line(1), line(2)]],
    ['lines[1].mail repeats lines[0].mail (a@b.sg)', [line(1, 'a@b.sg'), line(1, 'a@b.sg')]],
    ['lines[1].mail must be an email', [line(1), line(1, 'x')]],
  ])('%s', async (text, lines) => expect(await order(...lines)).toBe(text));

  test('is nothing else than a list', async () => {
    for (const lines of [{}, 5, null, 'x']) expect(await errorText(OrderDto, { lines })).toBe('lines must be an array');
  });
});

test('a query is converted too, and may have initial values', async () => {
  class PageDto {
    @OptionalField() @QueryIntegerField({ min: 1, max: 50 }) readonly page: number = 1;
    @OptionalField() @rules.IsIn(['asc', 'desc']) readonly order?: string;
  }
  const query = (text: string) => validate(PageDto, Object.fromEntries(new URLSearchParams(text)), 'query');
  expect(await query('page=7&order=asc')).toEqual({ page: 7, order: 'asc' });
  expect(await query('')).toEqual({ page: 1, order: undefined });
  await expect(query('page=51&order=up')).rejects.toThrow(
    'page must be an integer from 1 to 50, given once; order must be one of the following values: asc, desc',
  );
});
