import {
  OptionalField,
  PathIntegerField,
  QueryIntegerField,
  StringField,
} from '../../src/http/validation/fields.decorator.js';
import { RequestValidationPipe } from '../../src/http/validation/request-validation.pipe.js';

const pipe = new RequestValidationPipe();

describe('a query', () => {
  class PageDto {
    @OptionalField() @QueryIntegerField({ min: -5, max: 100 }) readonly page?: number;
    @OptionalField() @StringField({ max: 5 }) readonly word?: string;
  }
  const text = 'page must be an integer from -5 to 100, given once';

  test.each(['5.0', ' 5', '5 ', '0x5', '', '05', '+5', '-0', '101', '-6', '1e2', ['5', '6'], { a: '5' }, null])(
    '%j',
    (page) => expect(() => pipe.transform({ page }, { type: 'query', metatype: PageDto })).toThrow(text),
  );
  test('gives the handler numbers, and no unknown fields', () => {
    const query = { page: '-5', word: '12', other: '1' };
    expect(pipe.transform(query, { type: 'query', metatype: PageDto })).toEqual({ page: -5, word: '12' });
    expect(pipe.transform({}, { type: 'query', metatype: PageDto })).toEqual({});
  });
});

describe('path parameters', () => {
  class NoticeDto {
    @PathIntegerField({ min: 1, max: 100 }) readonly id!: number;
  }

  test.each(['5.0', '05', '', '0', '101', 'x'])('%j', (id) =>
    expect(() => pipe.transform({ id }, { type: 'param', metatype: NoticeDto })).toThrow(
      'id must be an integer from 1 to 100',
    ),
  );
  test('give the handler numbers', () => {
    expect(pipe.transform({ id: '7' }, { type: 'param', metatype: NoticeDto })).toEqual({ id: 7 });
  });
});
