import { Clock } from '../../src/calendar/business-calendar.js';
import type { Answer } from '../support/client.js';
import { CommandLine } from '../support/command-line.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('A restaurant', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp({ TIME_ZONE: 'Asia/Singapore' })));
  afterAll(() => service.close());

  /** Each test has a restaurant of its own, and its till. */
  let id = 100;
  let token: string;
  beforeEach(async () => ({ token } = await givenTill(service, { restaurants: [++id] })));

  /** What a command prints that must succeed. */
  async function done(verb: string, ...args: (string | number)[]): Promise<string> {
    const ran = await new CommandLine(service.app).run(['restaurant', verb, ...args.map(String)]);
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    return ran.stdout;
  }
  const listed = async () => new RegExp(`^${id} .*$`, 'm').exec(await done('list'))![0];
  const upload = (date: string): Promise<Answer> =>
    service.client.upload(token, [record({ restaurant_id: id, date })]);
  const statuses = async (...dates: string[]): Promise<number[]> => {
    const answers = [];
    for (const date of dates) answers.push((await upload(date)).status);
    return answers;
  };

  test('is added and renamed: lists and uploads name it newly', async () => {
    const name = 'Café 海南';
    expect(await done('add', 7, '--name', name)).toBe(`restaurant 7 (${name}) added\n`);
    expect(await done('list')).toMatch(/^ID +NAME +TODAY\n7 +Café 海南 +00:00-24:00\n/);
    const [added] = JSON.parse(await done('list', '--json'));
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(added).toEqual({ restaurant_id: 7, name, status: '00:00-24:00', created_at });
    expect(await done('rename', id, '--name', 'Harbour Grill')).toBe(
      `restaurant ${id} (Restaurant ${id}) is now called Harbour Grill\n`,
    );
    expect((await upload('2025-10-15')).body.message).toBe(
      `1 hourly record saved for restaurant ${id} (Harbour Grill) on 2025-10-15`,
    );
    const { body } = await service.client.get('/api/v1/restaurants', { token });
    expect(body.restaurants).toMatchObject([{ restaurant_id: id, name: 'Harbour Grill' }]);
  });

  test('closes from a day on and reopens: days between stay closed, uploads are kept', async () => {
    const name = `restaurant ${id} (Restaurant ${id})`;
    expect(await statuses('2025-10-14')).toEqual([200]);
    expect(await done('close', id, '--from', '2025-10-10')).toBe(
      `${name} is closed from 2025-10-10\n`,
    );
    await done('close', id, '--from', '2025-10-20'); // the earlier day stays
    expect(await listed()).toMatch(/ +closed since 2025-10-10$/);
    expect(await statuses('2025-10-09', '2025-10-10', '2099-01-01')).toEqual([200, 400, 400]);
    const answer = await upload('2025-10-15');
    expectError(answer, 400);
    expect([answer.headers.get('X-Error-Code'), answer.body.error]).toEqual([
      'restaurant_closed',
      `${name} is closed on 2025-10-15: nothing can be uploaded for that day`,
    ]);
    expect(await done('reopen', id, '--from', '2025-10-12')).toBe(
      `${name} is open from 2025-10-12\n`,
    );
    expect(await listed()).toMatch(/ +00:00-24:00$/);
    expect(await statuses('2025-10-10', '2025-10-11', '2025-10-12')).toEqual([400, 400, 200]);
    await done('close', id, '--from', '2025-01-01');
    const sql = 'SELECT date::text AS day FROM hourly_sales WHERE restaurant_id = $1 ORDER BY date';
    const stored = await service.database.query(sql, [id]);
    expect(stored.map(({ day }) => day)).toEqual(['2025-10-09', '2025-10-12', '2025-10-14']);
  });

  test('reopens today, in the time zone of the service, where no day is given', async () => {
    await done('close', id, '--from', '2025-10-10');
    const now = jest.spyOn(service.app.get(Clock), 'now');
    now.mockReturnValue(Date.parse('2025-10-15T20:00:00Z'));
    expect(await done('reopen', id)).toMatch(/ is open from 2025-10-16\n$/);
    now.mockRestore();
    expect(await statuses('2025-10-15', '2025-10-16')).toEqual([400, 200]);
  });

  const BAD_ID = 'a restaurant id is a whole number from 1 to 2147483647';
  const BAD_NAME =
    'a restaurant name has 1 to 200 characters, none of them a control character, ' +
    'and no space at its ends';

  test.each([
    ['add 101 --name x', 'there is a restaurant 101 already'],
    ['add 0 --name x', BAD_ID],
    ['add 8 --name ', BAD_NAME],
    ['rename 999 --name x', 'there is no restaurant 999'],
    ['reopen 2147483648', 'there is no restaurant 2147483648'],
  ])('rejected, 1: restaurant %s', async (line, reason) => {
    const ran = await new CommandLine(service.app).run(['restaurant', ...line.split(' ')]);
    expect(ran).toEqual({ status: 1, stdout: '', stderr: `${reason}\n` });
  });
});
