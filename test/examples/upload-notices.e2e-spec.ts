import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { givenTill } from '../support/given.js';
import { record } from '../support/records.js';
import { ServiceCopy } from '../support/service-copy.js';
import { endLeftovers, eventually, ServiceProcess } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { grantRights } from '../support/test-database.js';

/** A receiver of notices, which takes them, refuses them or says nothing. */
class Receiver {
  readonly received: any[] = [];
  readonly taken: any[] = [];
  mode: 'takes' | 'refuses' | 'is silent' = 'takes';
  private readonly silenced: ServerResponse[] = [];
  private readonly server: Server = createServer((request, response) => {
    void json(request).then((notice) => {
      this.received.push(notice);
      if (this.mode === 'is silent') this.silenced.push(response);
      else response.writeHead(this.mode === 'takes' ? 204 : 500).end();
      if (this.mode === 'takes') this.taken.push(notice);
    });
  });

  async open(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.close().closeAllConnections();
  }
}

const receiver = new Receiver();
let copy: ServiceCopy;
let app: TestApp;
let token: string;
let url: string;
let service: ServiceProcess;

/** Starts the service with a module that was begun as a copy of the example. */
const start = (settings = {}): Promise<ServiceProcess> =>
  ServiceProcess.start(
    {
      DATABASE_URL: app.database.url,
      JWT_SECRET: app.config.JWT_SECRET,
      MIGRATE_ON_START: 'false',
      SPECIMEN_NOTICES_URL: url,
      ...settings,
    },
    { main: copy.main },
  );

beforeAll(async () => {
  url = await receiver.open();
  copy = new ServiceCopy();
  const args = ['examples/new-module.mjs', 'upload-notices', 'specimen-notices'];
  execFileSync(process.execPath, args, { cwd: copy.folder });
  copy.compile();
  app = await createTestApp(); // makes the database, and a till
  ({ token } = await givenTill(app));
  await copy.run(app.database.ownerUrl, 'migration', 'run');
  await grantRights(app.database.ownerUrl, copy.folder);
  service = await start();
});
afterEach(() => {
  receiver.mode = 'takes';
  receiver.received.length = receiver.taken.length = 0;
});
afterAll(async () => {
  await service.stop();
  endLeftovers();
  receiver.close();
  await app.close();
  copy.remove();
});

const upload = async (changes: Record<string, unknown>): Promise<void> => {
  const { status, text } = await service.client.upload(token, [record(changes)]);
  expect({ status, text }).toMatchObject({ status: 200 });
};

/** Lets the time pass after which a notice is tried again, once no instance is in work on one. */
const passTime = () => app.database.query('UPDATE specimen_notices SET next_try_at = now()');

const isEmpty = async (): Promise<boolean> =>
  (await app.database.query('SELECT FROM specimen_notices')).length === 0;

test('An upload is told of at once, with its number and hours; so is its correction', async () => {
  await upload({ date: '2025-10-01', hour: 18, gto: 1 });
  await upload({ date: '2025-10-01', hour: 18, gto: 2 });
  await eventually(() => receiver.taken.length === 2, 'the notices');
  const notice = { restaurant_id: 101, date: '2025-10-01', user_id: expect.any(Number) };
  expect(receiver.taken.sort((one, next) => one.number - next.number)).toEqual([
    { ...notice, number: 1, changed_hours: [18], replaced_hours: [] },
    { ...notice, number: 2, changed_hours: [18], replaced_hours: [18] },
  ]);
  await eventually(isEmpty, 'the outbox to be empty');
});

test('A receiver that fails is asked again a minute later, and then at growing distances', async () => {
  receiver.mode = 'refuses';
  await upload({ date: '2025-10-02' });
  const seconds = async (tries: number): Promise<number> => {
    const [row] = await eventually(async () => {
      const rows = await app.database.query<{ seconds: number }>(
        `SELECT extract(epoch FROM next_try_at - now())::int AS seconds FROM specimen_notices
         WHERE tries = $1`,
        [tries],
      );
      return rows.length > 0 && receiver.received.length === tries && rows;
    }, `${tries} tries`);
    return row!.seconds;
  };
  expect(await seconds(1)).toBeGreaterThan(30);
  await passTime();
  expect(await seconds(2)).toBeGreaterThan(90);
  receiver.mode = 'takes';
  await passTime();
  await eventually(isEmpty, 'the outbox to be empty');
});

test('kill -9 between save and delivery, under load: every upload that was answered 200 is told of', async () => {
  receiver.mode = 'is silent';
  const saved: string[] = [];
  const load = Array.from({ length: 4 }, async (_, client) => {
    for (let day = 1; day <= 9; day++) {
      const date = `2025-0${client + 1}-0${day}`;
      const records = [record({ date })];
      const answer = await service.client.upload(token, records).catch(() => undefined);
      if (answer?.status === 200) saved.push(date);
    }
  });
  await eventually(() => receiver.received.length > 0 && saved.length > 5, 'the load');
  service.signal('SIGKILL');
  expect(await service.exited).toMatchObject({ signal: 'SIGKILL' });
  await Promise.all(load);
  expect(receiver.taken).toEqual([]);
  receiver.mode = 'takes';
  await passTime();
  service = await start();
  await eventually(isEmpty, 'the outbox to be empty');
  expect(receiver.taken.map(({ date }) => date)).toEqual(expect.arrayContaining(saved));
});

test('SPECIMEN_NOTICES_OF=corrections: only what replaced figures is told of', async () => {
  await service.stop();
  service = await start({ SPECIMEN_NOTICES_OF: 'corrections' });
  await upload({ date: '2025-10-03', gto: 1 });
  await upload({ date: '2025-10-03', gto: 2 });
  await eventually(() => receiver.taken.length > 0, 'the notice');
  await eventually(isEmpty, 'the outbox to be empty');
  expect(receiver.taken.map(({ number }) => number)).toEqual([2]);
});
