import { Transform, Type } from 'class-transformer';
import { IsEmail } from 'class-validator';
import { compileDto } from '../../src/http/validation/compile-dto.js';
import { IntegerField, OptionalField, StringField } from '../../src/http/validation/fields.decorator.js';
import { ListField } from '../../src/http/validation/list-field.decorator.js';
import { validate } from '../../src/http/validation/request-validation.pipe.js';
import { UploadDailyDto } from '../../src/sales/uploads/dto/upload-daily.dto.js';
import { day, record } from '../support/records.js';
import { errorText } from '../support/validation-errors.js';

class LineDto {
  @IntegerField({ min: 1, max: 9 }) readonly amount!: number;
  @OptionalField() @StringField() readonly code?: string;
}

const decorate = (...decorators: PropertyDecorator[]) => {
  class SomeDto {
    readonly field?: unknown;
  }
  for (const each of decorators) each(SomeDto.prototype, 'field');
  return SomeDto;
};

describe('a DTO is compiled', () => {
  test('where it has our field decorators alone', () => {
    expect(compileDto(UploadDailyDto)).toBeDefined();
    expect(compileDto(LineDto)).toBeDefined();
  });
  class TreeDto {
    @ListField(() => TreeDto, { min: 0, max: 9 }) readonly children!: TreeDto[];
  }
  class DefaultDto {
    @OptionalField() @IntegerField({ min: 1, max: 9 }) readonly size: number = 5;
  }
  test.each([
    ['another rule on a field', decorate(StringField(), IsEmail())],
    ['a rule of class-validator alone', decorate(IsEmail())],
    ['two of our rules on one field', decorate(StringField(), StringField({ max: 5 }))],
    [
      'a conversion',
      decorate(
        StringField(),
        Type(() => Number),
      ),
    ],
    [
      'a transformation',
      decorate(
        StringField(),
        Transform(({ value }: { value: unknown }) => String(value).trim()),
      ),
    ],
    ['an initial value', DefaultDto],
    ['itself inside', TreeDto],
    ['a list of what is not compiled', decorate(ListField(() => decorate(IsEmail()), { min: 0, max: 9 }))],
  ])('but not with %s', (_what, Dto) => expect(compileDto(Dto)).toBeUndefined());

  test('and a list that compares by an unknown field stops the start', () => {
    const Dto = decorate(ListField(() => LineDto, { min: 1, max: 2, sameValue: { fields: ['amont'], because: 'x' } }));
    expect(() => compileDto(Dto)).toThrow('SomeDto.field: LineDto has no rule for amont');
  });
  test('and a list of a class without rules stops the start', () => {
    class Unruled {
      readonly field?: unknown;
    }
    const Dto = decorate(ListField(() => Unruled, { min: 1, max: 2 }));
    expect(() => compileDto(Dto)).toThrow('SomeDto.field: Unruled has no validation rules');
  });
});

describe('a hostile body', () => {
  class OddDto {
    @StringField() readonly valueOf!: () => string;
    @IntegerField({ min: 1, max: 9 }) readonly toString!: () => string;
  }

  test('does not borrow fields from Object.prototype', async () => {
    expect(compileDto(OddDto)).toBeDefined();
    expect(await errorText(OddDto, '{}')).toBe('valueOf is missing; toString is missing');
    expect(await errorText(OddDto, '{"__proto__": {"toString": 5, "valueOf": "x"}}')).toContain('toString is missing');
    const odd = '{"toString": 5, "valueOf": "x", "hasOwnProperty": 1, "constructor": null}';
    expect(await errorText(OddDto, odd)).toBeUndefined();
  });
  test('does not get long values repeated', async () => {
    const long = 'x'.repeat(50_000);
    const records = day().map((entry) => ({ ...entry, gto: long, date: long, [long]: long }));
    expect((await errorText(UploadDailyDto, { records }))?.length).toBeLessThan(1200);
  });
});

describe('rules across a list', () => {
  class OrderDto {
    @ListField(() => LineDto, { min: 2, max: 5, uniqueBy: 'code' }) readonly lines!: LineDto[];
  }
  class DayDto {
    @ListField(() => OrderDto, { min: 0, max: 9 }) readonly orders!: OrderDto[];
  }
  const dayOf = (...lines: object[]) => errorText(DayDto, { orders: [{ lines }] });
  const line = (code?: string) => ({ amount: 1, ...(code === undefined ? {} : { code }) });

  test('name the whole path of a list within a list', async () => {
    expect(await dayOf(line('a'), line('b'), line('a'))).toBe(
      'orders[0].lines[2].code repeats orders[0].lines[0].code (a)',
    );
  });
  test('leave out what is left out', async () => expect(await dayOf(line(), line())).toBeUndefined());
  test('do not repeat long values', async () => {
    const long = 'x'.repeat(100);
    expect(await dayOf(line(long), line(long))).toBe('orders[0].lines[1].code repeats orders[0].lines[0].code');
  });
  test('lists say how many entries they take; without a status of its own that is one error of many', async () => {
    expect(await dayOf(line())).toBe('orders[0].lines must hold at least 2 entries');
    const text = 'orders[0].lines holds 6 entries, at most 5 are allowed';
    expect(await dayOf(...Array.from('abcdef', line))).toBe(text);
    expect(await dayOf()).toBe('orders[0].lines must hold at least 2 entries');
  });
});

test('a valid body is returned at once, without unknown fields and with its lists as they were sent', () => {
  const records = [record()];
  const received = validate(UploadDailyDto, { records, other: 1 }, 'body') as UploadDailyDto;
  expect(Object.keys(received)).toEqual(['records']);
  expect(received.records).toBe(records);
});
