import { Transform, Type } from 'class-transformer';
import { IsInt, IsNumber, IsOptional, IsString, Validate, ValidateBy } from 'class-validator';
import { ValidateNested, ValidatePromise, ValidatorConstraint } from 'class-validator';
import { OptionalField, StringField, IntegerField } from '../../src/http/validation/fields.decorator.js';
import { ListField } from '../../src/http/validation/list-field.decorator.js';
import { compileValidator } from '../../src/http/validation/compile-validator.js';
import { UploadDailyDto } from '../../src/sales/uploads/dto/upload-daily.dto.js';
import { day, record } from '../support/records.js';

const faultsOf = (Dto: new () => object, body: string) => compileValidator(Dto)(JSON.parse(body) as object)?.text;

class LineDto {
  @IntegerField({ min: 1, max: 9 }) readonly amount!: number;
  @OptionalField() @StringField() readonly code?: string;
}

describe('a DTO that cannot be checked as it says stops the start', () => {
  const refused = (decorate: PropertyDecorator, message: RegExp) => {
    class OddDto {
      readonly field?: unknown;
    }
    decorate(OddDto.prototype, 'field');
    expect(() => compileValidator(OddDto)).toThrow(message);
  };
  @ValidatorConstraint({ async: true })
  class Slow {
    validate = () => Promise.resolve(true);
  }
  class Unmarked {
    validate = () => true;
  }
  const both =
    (...decorators: PropertyDecorator[]): PropertyDecorator =>
    (prototype, field) =>
      decorators.forEach((decorate) => decorate(prototype, field));

  test.each<[string, PropertyDecorator, RegExp]>([
    ['a promise to wait for', ValidatePromise(), /^OddDto\.field: rules of the kind promiseValidation/],
    ['an asynchronous constraint', Validate(Slow), /OddDto\.field: .* asynchronous/],
    ['a constraint class without its decorator', Validate(Unmarked), /@ValidatorConstraint/],
    ['a nested object of unknown class', ValidateNested(), /needs @Type/],
    [
      'a nested object of a class without rules',
      both(
        ValidateNested(),
        Type(() => Unmarked),
      ),
      /needs @Type/,
    ],
    [
      'a conversion',
      both(
        IsNumber(),
        Type(() => Number),
      ),
      /no effect/,
    ],
    [
      'a transformation',
      both(
        IsString(),
        Transform(({ value }) => String(value).trim()),
      ),
      /no effect/,
    ],
    ['a status other than 413', IsInt({ context: { status: 418 } }), /another status/],
    [
      'a rule across a list with no such field',
      ListField(() => LineDto, { min: 1, max: 2, sameValue: { fields: ['amont'] } }),
      /amont/,
    ],
  ])('%s', (_what, decorate, message) => refused(decorate, message));

  test('an initial value, which nothing would fill in', () => {
    class DefaultDto {
      @IsOptional() @IsInt() readonly size = 5;
    }
    expect(() => compileValidator(DefaultDto)).toThrow('DefaultDto.size: an initial value has no effect here');
  });
  class Unruled {
    readonly field?: unknown;
  }
  test('no rules at all', () => expect(() => compileValidator(Unruled)).toThrow('Unruled has no rules'));
  test('a rule that is asynchronous without saying so is found out at the first call', () => {
    class LateDto {
      @ValidateBy({ name: 'late', validator: { validate: () => Promise.resolve(false) } }) readonly field!: string;
    }
    expect(() => faultsOf(LateDto, '{}')).toThrow('LateDto.field: a rule is asynchronous without saying so');
  });
});

describe('a hostile body', () => {
  class TreeDto {
    @IsString() readonly valueOf!: () => string;
    @IntegerField({ min: 1, max: 9 }) readonly toString!: () => string;
    @IsOptional() @ValidateNested({ each: true }) @Type(() => TreeDto) readonly children?: TreeDto[];
  }

  test('does not borrow fields from Object.prototype', () => {
    expect(faultsOf(TreeDto, '{}')).toBe('valueOf must be a string; toString is missing');
    expect(faultsOf(TreeDto, '{"__proto__": {"toString": 5, "valueOf": "x"}}')).toContain('toString is missing');
    expect(faultsOf(TreeDto, '{"toString": 5, "valueOf": "x", "hasOwnProperty": 1, "constructor": null}')).toBe(
      undefined,
    );
  });
  test.each([
    ['lists', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['objects', '{"valueOf": "x", "toString": 5, "children":'.repeat(20_000) + '[]' + '}'.repeat(20_000)],
  ])('does not exhaust the stack with %s', (_what, children) => {
    const leaf = '"valueOf": "x", "toString": 5';
    expect(faultsOf(TreeDto, `{${leaf}, "children": ${children}}`)).toMatch(
      /^(\.?children|\[0])+ is (nested too deeply|\.\.\.)$/,
    );
  });
  test('differs from a deep one', () => {
    const nested = Array(15).fill('{"valueOf": "x", "toString": 5, "children": [').join('') + ']}'.repeat(15);
    expect(faultsOf(TreeDto, nested)).toBe(undefined);
  });
  test('gets ten faults told and the rest counted', () => {
    const body = `{"valueOf": "x", "toString": 5, "children": [${Array(40_000).fill('{}').join()}]}`;
    const text = faultsOf(TreeDto, body) ?? '';
    expect(text).toMatch(/^children\[0]\.valueOf must be a string; .*\.\.\. and 79990 more$/);
    expect(text.length).toBeLessThan(600);
  });
  test('gets nothing long repeated to it', () => {
    const long = 'x'.repeat(50_000);
    class EchoDto {
      @IsInt({ message: '$value is no integer' }) readonly size!: number;
    }
    expect(faultsOf(EchoDto, JSON.stringify({ size: long }))?.length).toBeLessThan(400);
    const records = day().map((entry) => ({ ...entry, gto: long, date: long, [long]: long }));
    expect(faultsOf(UploadDailyDto, JSON.stringify({ records }))?.length).toBeLessThan(1200);
  });
});

describe('rules across a list', () => {
  class OrderDto {
    @ListField(() => LineDto, { min: 2, max: 5, uniqueBy: 'code' })
    readonly lines!: LineDto[];
  }
  class DayDto {
    @ListField(() => OrderDto, { min: 0, max: 9 }) readonly orders!: OrderDto[];
  }
  const day = (...lines: object[]) => faultsOf(DayDto, JSON.stringify({ orders: [{ lines }] }));
  const line = (code?: string) => ({ amount: 1, ...(code === undefined ? {} : { code }) });

  test('name the whole path of a list within a list', () => {
    expect(day(line('a'), line('b'), line('a'))).toBe('orders[0].lines[2].code repeats orders[0].lines[0].code (a)');
  });
  test('leave out what is left out', () => expect(day(line(), line())).toBe(undefined));
  test('do not repeat long values', () => {
    const long = 'x'.repeat(100);
    expect(day(line(long), line(long))).toBe('orders[0].lines[1].code repeats orders[0].lines[0].code');
  });
  test('lists say how many entries they take; without a status of its own that is one fault of many', () => {
    expect(day(line())).toBe('orders[0].lines must hold at least 2 entries');
    expect(day(...Array.from('abcdef', line))).toBe('orders[0].lines holds 6 entries, at most 5 are allowed');
    expect(day()).toBe('orders[0].lines must hold at least 2 entries');
  });
});

test('a valid upload is answered without a word', () => {
  expect(compileValidator(UploadDailyDto)({ records: [record()] })).toBe(undefined);
});
