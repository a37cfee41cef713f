import { LoginDto } from '../../src/auth/dto/auth.dto.js';
import { RevokeDto } from '../../src/auth/dto/auth.dto.js';
import { RequestValidationPipe } from '../../src/http/validation/request-validation.pipe.js';
import { UploadDailyDto } from '../../src/sales/uploads/dto/upload-daily.dto.js';
import { OPTIONAL, day, record } from '../support/records.js';

const pipe = new RequestValidationPipe();

/** The status and text with which a body is refused, or 200 where it is not. */
function judge(metatype: new () => object, body: unknown) {
  try {
    pipe.transform(body, { type: 'body', metatype });
    return '200';
  } catch (error) {
    const { status, message } = error as { status: number; message: string };
    return `${status} ${message}`;
  }
}

const AMOUNTS = ['gto', 'gst', 'svc', 'discount', 'cash', 'nets', 'visa', 'master', 'amex', 'voucher', 'other'];

const upload = (...records: unknown[]) => judge(UploadDailyDto, { records });
const field = (name: string, value: unknown) => upload(record({ [name]: value }));

describe('a field of a record', () => {
  const integer = (name: string, from: number, to: number) =>
    `400 records[0].${name} must be an integer from ${from} to ${to}`;
  const money = 'must be a number from 0 up to but not including 100000000000';

  test.each([7, 7.0, 0, 23, -0])('takes the hour %p', (hour) => expect(field('hour', hour)).toBe('200'));
  test.each([-1, 24, 7.5, '7', true, null, [], [7], {}, 2 ** 53, 1e300])('refuses the hour %p', (hour) =>
    expect(field('hour', hour)).toBe(integer('hour', 0, 23)),
  );
  test.each([
    ['restaurant_id', 1],
    ['orders', 0],
    ['pax', 0],
  ])('%s is an integer from %d to 2147483647', (name, min) => {
    expect([field(name, min), field(name, 2_147_483_647)]).toEqual(['200', '200']);
    for (const value of [min - 1, 2_147_483_648, '1', 1.5]) {
      expect(field(name, value)).toBe(integer(name, min, 2_147_483_647));
    }
  });

  test.each(AMOUNTS)('%s is an amount', (name) => {
    for (const amount of [0, 0.1, 1e-7, 99_999_999_999.9999]) expect(field(name, amount)).toBe('200');
    for (const text of ['1', '', null, true, [1], {}])
      expect(field(name, text)).toBe(`400 records[0].${name} ${money}`);
    expect(field(name, -0.01)).toBe(`400 records[0].${name} must not be negative`);
    for (const much of [1e11, 1e300, JSON.parse('1e999')]) {
      expect(field(name, much)).toBe(`400 records[0].${name} must be less than 100000000000`);
    }
  });

  test.each(['2025-10-15', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2025-04-30'])(
    'takes the day %s',
    (date) => expect(field('date', date)).toBe('200'),
  );
  test.each([
    ...['2025-02-29', '1900-02-29', '2025-02-30', '2025-04-31', '2025-13-01', '2025-00-10', '2025-01-00', '2025-01-32'],
    ...['0000-01-01', '10000-01-01', '25-10-15', '2025-1-15', '2025/10/15', '20251015', ' 2025-10-15', '2025-10-15 '],
    ...[
      '2025-10-15T00:00:00Z',
      '٢٠٢٥-١٠-١٥',
      '+025-10-15',
      '2025-1e-15',
      '2025-10--5',
      '2025-1/-05',
      '',
      null,
      20251015,
      ['2025-10-15'],
      {},
    ],
  ])('refuses the day %p', (date) =>
    expect(field('date', date)).toBe('400 records[0].date must be a day that exists, in the form YYYY-MM-DD'),
  );

  test.each(Object.keys(record()).filter((name) => !(name in OPTIONAL)))('%s must be there', (name) => {
    expect(field(name, undefined)).toBe(`400 records[0].${name} is missing`);
  });
  test('unknown ones are ignored', () => expect(field('weather', { rain: [] })).toBe('200'));
});

describe('records', () => {
  test('1 to 24 of them are taken', () => expect([upload(...day()), upload(record())]).toEqual(['200', '200']));
  test.each([
    ['400 records is missing', {}],
    ['400 records must be an array', { records: null }],
    ['400 records must be an array', { records: {} }],
    ['400 records must be an array', { records: { length: 1, 0: record() } }],
    ['400 records must be an array', { records: 'x'.repeat(100) }],
    ['400 records is empty: a closed day is sent as records of zeros', { records: [] }],
    ['400 records[0] must be an object', { records: [null] }],
    ['400 records[0] must be an object; records[2] must be an object', { records: [5, record(), 'x'] }],
    ['400 records[1] must be an object', { records: [record(), [record()]] }],
  ])('%#: %s', (answer, body) => expect(judge(UploadDailyDto, body)).toBe(answer));

  test.each([[day()], [[null]], [['x']], [[[]]], [[{}]], [[record()]]])(
    'over 24 are 413, whatever else is wrong: %#',
    (entries) => {
      const records = [...day(), ...day()].map((_, index) => entries[index % entries.length]);
      const text = (count: number) => `413 records holds ${count} entries, at most 24 are allowed`;
      expect([upload(...records.slice(0, 25)), upload(...records)]).toEqual([text(25), text(48)]);
    },
  );

  test('are of one restaurant and one day', () => {
    expect(upload(record(), record({ hour: 13, restaurant_id: 8 }), record({ hour: 14, date: '2025-10-16' }))).toBe(
      '400 records[1].restaurant_id must be the same as in records[0] (101): one upload is one restaurant and one day; ' +
        'records[2].date must be the same as in records[0] (2025-10-15): one upload is one restaurant and one day',
    );
  });
  test('name an hour once', () => {
    expect(upload(record(), record({ hour: 3 }), record(), record({ hour: 12.0 }))).toBe(
      '400 records[2].hour repeats records[0].hour (12); records[3].hour repeats records[0].hour (12)',
    );
  });
  test('are compared only where they are valid themselves', () => {
    const records = [record({ date: '2025-02-30' }), record({ hour: undefined }), record(), record({ hour: 24 })];
    expect(upload(...records)).toBe(
      '400 records[0].date must be a day that exists, in the form YYYY-MM-DD; records[1].hour is missing; ' +
        'records[2].hour repeats records[0].hour (12); records[3].hour must be an integer from 0 to 23',
    );
  });
  test('have their faults told in order, the first ten', () => {
    const wrong = { orders: '1', gto: -1, cash: null, restaurant_id: undefined, date: 'today' };
    expect(upload(record(wrong), record(wrong), record(wrong))).toMatch(
      /^400 records\[0]\.restaurant_id .*; records\[0]\.date .*; records\[0]\.orders .*; records\[0]\.gto .*; records\[0]\.cash .*; records\[1]\.restaurant_id .*; \.\.\. and 7 more$/,
    );
  });
});

describe('a login', () => {
  const login = (fields: object) =>
    judge(LoginDto, { grant_type: 'password', username: 'till', password: 'x', ...fields });

  test.each([
    ['200', {}],
    ['200', { client_id: 5 }],
    ['200', { password: 'x'.repeat(100_000) }],
    ['400 grant_type must be "password"', { grant_type: 'Password' }],
    ['400 grant_type is missing', { grant_type: undefined }],
    ['400 username must be a non-empty string', { username: '' }],
    ['200', { username: 'u'.repeat(201) }],
    ['400 username must be a non-empty string', { username: ['till'] }],
    ['400 password must be a non-empty string', { password: '' }],
    ['400 password must be a non-empty string', { password: 12345 }],
    ['400 username is missing; password must be a non-empty string', { password: null, username: undefined }],
  ])('%#: %s', (answer, fields) => expect(login(fields)).toBe(answer));
});

describe('a body', () => {
  test.each([[], null, 5, 'x', true])('%j is no JSON object', (body) =>
    expect(judge(LoginDto, body)).toBe('400 the body must be a JSON object'),
  );
  test('is missing', () => {
    const text = '400 grant_type is missing; username is missing; password is missing';
    expect(judge(LoginDto, undefined)).toBe(text);
  });
  test('may be left out where all of its fields may', () => {
    expect(pipe.transform(undefined, { type: 'body', metatype: RevokeDto })).toEqual({});
    expect(judge(RevokeDto, { all: null })).toBe('400 all must be true or false');
    expect([judge(RevokeDto, {}), judge(RevokeDto, { all: false })]).toEqual(['200', '200']);
  });
  test('reaches the handler without unknown fields', () => {
    const known = { records: [record()] };
    expect(pipe.transform({ ...known, other: 1 }, { type: 'body', metatype: UploadDailyDto })).toEqual(known);
  });
  test('without rules passes', () => expect(judge(String, 5)).toBe('200'));
});
