import { expectError } from '../support/expect-error.js';
import { givenRestaurant, givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const RANGE = 'from=2025-10-14&to=2025-10-14';

let service: TestApp;
let token: string;
beforeAll(async () => {
  service = await createTestApp();
  ({ token } = await givenTill(service));
  await givenRestaurant(service, 90);
});
afterAll(() => service.close());

const get = (path: string) => service.client.get(`/api/v1/sales/${path}`, { token });

test.each([
  'daily?date=2025-10-15&restaurant_id=',
  'uploads?date=2025-10-15&restaurant_id=',
  `missing?${RANGE}&restaurant_id=`,
  `calendar?${RANGE}&restaurant_id=`,
  `calendar?${RANGE}&restaurant_id=101,`,
  `totals?${RANGE}&restaurant_id=`,
  `totals?${RANGE}&restaurant_id=101,`,
])(
  '403: %s of a restaurant that is unknown or not granted is what an upload gets',
  async (path) => {
    const upload = await service.client.upload(token, [record({ restaurant_id: 90 })]);
    const [foreign, unknown] = [await get(`${path}90`), await get(`${path}91`)];
    expectError(foreign, 403);
    expect(foreign.text).toBe(upload.text);
    expect([unknown.status, unknown.text.replace('91', '90')]).toEqual([403, upload.text]);
  },
);

const NO_DAY = 'must be a day that exists';
const NO_INTEGER = 'restaurant_id must be an integer';
const NO_LIST = 'restaurant_id must be 1 to 100 identifiers';
const NO_PAGE = 'after must be the `next` of the previous page';
const OVERVIEWS: [path: string, text: string][] = [
  ['from=2025-10-15&to=2025-10-14', 'to (2025-10-14) must not be before from'],
  ['to=2025-10-14', 'from is missing'],
  ['from=2025-10-14&to=2025-02-30', `to ${NO_DAY}`],
  [`${RANGE}&restaurant_id=`, NO_LIST],
  [`${RANGE}&restaurant_id=101,x`, NO_LIST],
  [`${RANGE}&restaurant_id=2147483648`, NO_LIST],
  [`${RANGE}&restaurant_id=1&restaurant_id=2`, NO_LIST],
  [`${RANGE}&restaurant_id=${'1,'.repeat(100)}1`, NO_LIST],
];

test.each<[path: string, text: string]>([
  ['daily?date=2025-10-15', 'restaurant_id is missing'],
  ['daily?date=2025-10-15&restaurant_id=1e2', NO_INTEGER],
  ['daily?date=2025-10-15&restaurant_id=2147483648', NO_INTEGER],
  ['daily?date=2025-10-15&restaurant_id=101&restaurant_id=101', NO_INTEGER],
  ['daily?restaurant_id=101', 'date is missing'],
  ['daily?restaurant_id=101&date=2025-02-30', `date ${NO_DAY}`],
  ['daily?restaurant_id=101&date=', `date ${NO_DAY}`],
  ['daily?restaurant_id=101&date=2025-10-15&date=2025-10-15', `date ${NO_DAY}`],
  ['uploads?restaurant_id=101&date=2025-10-15&limit=101', 'limit must be an integer from 1 to 100'],
  ['uploads?restaurant_id=101&date=2025-10-15&limit=0', 'limit must be an integer from 1 to 100'],
  ['uploads?restaurant_id=101&date=2025-10-15&after=x', 'after must be an integer'],
  ['uploads?restaurant_id=101&date=2025-10-15&after=2147483648', 'after must be an integer'],
  ['missing?to=2025-10-15', 'from is missing'],
  ['missing?from=2025-10-15', 'to is missing'],
  ['missing?from=2025-13-01&to=2025-10-15', `from ${NO_DAY}`],
  ['missing?from=2025-10-15&to=2025-10-14', 'to (2025-10-14) must not be before from (2025-10-15)'],
  [`missing?${RANGE}&restaurant_id=`, NO_INTEGER],
  [`missing?${RANGE}&limit=1001`, 'limit must be an integer from 1 to 1000'],
  [`missing?${RANGE}&after=101`, NO_PAGE],
  [`missing?${RANGE}&after=101-2025-02-30`, NO_PAGE],
  [`missing?${RANGE}&after=2147483648-2025-10-15`, NO_PAGE],
  ...OVERVIEWS.map(([query, text]): [string, string] => [`calendar?${query}`, text]),
  ...OVERVIEWS.map(([query, text]): [string, string] => [`totals?${query}`, text]),
  [`totals?${RANGE}&group_by=hour`, 'group_by must'],
])('400: %s: %s', async (path, text) => {
  const answer = await get(path);
  expectError(answer, 400);
  expect(answer.body.error).toContain(text);
});
