import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { SlotGuard } from '../../src/http/requests/slot.guard.js';
import { type Answer, untilServed } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { RawConnection, rawRequest, rawUpload } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { whileDaysAreLocked } from '../support/test-database.js';

const LIMIT = 4;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const LIVE = rawRequest('GET /health/live');
const LOGIN = 'POST /api/v1/auth/login';

let service: TestApp;
let till: { username: string; password: string; token: string };
let opened: RawConnection[] = [];
beforeAll(async () => {
  service = await createTestApp();
  till = await givenTill(service);
  await upload();
});
afterEach(() => {
  opened.forEach((connection) => connection.abort());
  opened = [];
});
afterAll(() => service.close());

/** As clients do: a kept connection may be closed just when it is used again. */
async function upload({ client } = service): Promise<Answer> {
  const send = () => client.upload(till.token, [record()]);
  return send().catch(send);
}

const slotsOf = ({ app }: TestApp) => app.get(SlotGuard).inFlight;

async function untilConnections({ app }: TestApp, most: number): Promise<void> {
  const server: Server = app.getHttpServer();
  const count = promisify(server.getConnections.bind(server));
  await eventually(async () => (await count()) <= most, `${most} connections`);
}

async function open({ url }: TestApp, bytes: string, from = '127.0.0.1'): Promise<RawConnection> {
  const connection = await RawConnection.open(url, { from });
  opened.push(connection);
  await connection.send(bytes);
  return connection;
}

/** Opens a connection and waits for the response to its first request. */
async function used(to: TestApp, from = '127.0.0.2'): Promise<RawConnection> {
  const connection = await open(to, LIVE, from);
  await connection.answer();
  return connection;
}

/** Does something so often, each time once the last one is done. */
async function times<Result>(count: number, work: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < count) results.push(await work());
  return results;
}

describe('Many connections', () => {
  test('A burst of requests from one address is served', async () => {
    const burst = Array.from({ length: 300 }, () => untilServed(upload));
    const statuses = (await Promise.all(burst)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('One more than MAX_CONNECTIONS is refused, and those that are open go on', async () => {
    const small = await service.another({ MAX_CONNECTIONS: LIMIT });
    const uploading = await times(LIMIT, () => used(small));
    await whileDaysAreLocked(service.database, async () => {
      for (const connection of uploading) await connection.send(rawUpload(till.token));
      await eventually(() => slotsOf(small).signed === LIMIT, 'the uploads in work');
      const refused = await open(small, LIVE).catch(() => undefined);
      await refused?.closed();
      expect(refused?.text ?? '').toBe('');
    });
    for (const connection of uploading) expect((await connection.answers(2))[1]?.status).toBe(200);
  });
});

describe('What is sent before the response to the request in work', () => {
  const PAGE = rawRequest('GET /app/');
  const DOCUMENT = rawRequest('GET /api/v1/openapi.json');
  const wrong = { grant_type: 'password', username: 'nobody', password: 'wrong password' };
  const login = (headers: Record<string, string> = {}): string =>
    rawRequest(LOGIN, { ...JSON_TYPE, ...headers }, JSON.stringify(wrong));
  const FIRST = {
    'a page': () => PAGE,
    'a document': () => DOCUMENT,
    'a HEAD': () => rawRequest('HEAD /api/v1/openapi.json'),
    'a login': () => login(),
    'an upload': () => rawUpload(till.token),
    'nothing here': () => rawRequest('GET /nope'),
    'a last request': () => rawRequest('GET /api/v1/openapi.json', { Connection: 'close' }),
    'an old request': () => DOCUMENT.replace('HTTP/1.1', 'HTTP/1.0'),
    'one without Host': () => DOCUMENT.replace('Host: x\r\n', ''),
    'an odd Expect': () => rawRequest('GET /app/', { Expect: 'the-unexpected' }),
    'one to continue': () => login({ Expect: '100-continue' }),
  };
  const REST = {
    nothing: '',
    'two pages': PAGE + PAGE,
    'two documents': DOCUMENT + DOCUMENT,
    'two HEAD': rawRequest('HEAD /app/') + rawRequest('HEAD /api/v1/openapi.json'),
    'two logins': login() + login(),
    'a page and nothing here': PAGE + rawRequest('GET /nope'),
    garbage: 'garbage\r\n\r\n',
    'a document and garbage': `${DOCUMENT}garbage\r\n\r\n`,
    'a malformed header': DOCUMENT.replace('Host', 'a b'),
    'the beginning of a head': DOCUMENT.slice(0, -5),
    'a part of a body': login().slice(0, -5),
    'a CONNECT': rawRequest('CONNECT x:1'),
    'a document and a CONNECT': DOCUMENT + rawRequest('CONNECT x:1'),
    'two upgrades': rawRequest('GET /', { Connection: 'Upgrade', Upgrade: 'websocket' }).repeat(2),
    'two odd Expects': rawRequest('GET /', { Expect: 'the-unexpected' }).repeat(2),
    'one without Host, and two documents':
      DOCUMENT.replace('Host: x\r\n', '') + DOCUMENT + DOCUMENT,
    hundreds: LIVE.repeat(500),
  };
  type Ending = (connection: RawConnection) => unknown;
  const responding = (connection: RawConnection) =>
    eventually(() => connection.text !== '' || !connection.isOpen, 'a response or the end');
  const ENDINGS: Ending[] = [
    (connection) => connection.abort(),
    (connection) => connection.endSending(),
    (connection) => responding(connection).then(() => connection.abort()),
    (connection) => responding(connection).then(() => connection.endSending()),
  ];

  let other: TestApp;
  beforeAll(async () => (other = await service.another({ LOGIN_ADDRESS_MAX_FAILURES: 100_000 })));

  test.each(Object.keys(REST) as (keyof typeof REST)[])(
    'takes no slot that is not given back: %s',
    async (rest) => {
      const inFlight = (): number => slotsOf(other).signed + slotsOf(other).anonymous;
      const before = inFlight();
      const connections = Object.values(FIRST).flatMap((first) =>
        ENDINGS.map(async (end) => end(await open(other, first() + REST[rest]))),
      );
      await Promise.all(connections);
      opened.forEach((connection) => connection.abort());
      await untilConnections(other, 0);
      await eventually(
        () => inFlight() === before,
        () => `${inFlight()} requests in flight to be ${before}`,
        20_000,
      );
      const leaving = { headers: { Connection: 'close' } };
      expect((await other.client.get('/health/live', leaving)).status).toBe(200);
    },
  );

  test('is answered in its order', async () => {
    const connection = await open(service, rawUpload(till.token) + LIVE + rawRequest('GET /x'));
    expect((await connection.answers(3)).map(({ status }) => status)).toEqual([200, 200, 404]);
  });

  test('garbage behind an upload takes nothing from its answer, and the connection is closed', async () => {
    const connection = await open(service, `${rawUpload(till.token)}garbage\r\n\r\n`);
    await connection.closed();
    const answers = await connection.answers();
    expect(answers.map(({ status }) => status)).toEqual([200]);
    expect(answers[0]!.headers.get('Connection')).toBe('close');
  });

  test('behind a request for an upgrade nothing is answered', async () => {
    const upgrade = rawRequest('GET /health/live', { Connection: 'Upgrade', Upgrade: 'websocket' });
    const connection = await open(service, upgrade + LIVE);
    await connection.closed();
    const answers = await connection.answers();
    expect(answers.map(({ status }) => status)).toEqual([200]);
    expect(answers[0]!.headers.get('Connection')).toBe('close');
  });

  test('Requests one after the other are served on one connection', async () => {
    const connection = await open(service, '');
    for (let round = 1; round <= 5; round++) {
      await connection.send(rawUpload(till.token, { hour: round }));
      const answer = (await connection.answers(round)).at(-1)!;
      expect([answer.status, answer.headers.get('Connection')]).toEqual([200, 'keep-alive']);
    }
  });
});

describe('A client that never reads', () => {
  const DOCUMENT = '/api/v1/openapi.json';

  /** Goes on asking while it reads nothing of the responses. */
  async function whileDeaf({ url }: TestApp, work: () => Promise<void>): Promise<void> {
    const deaf = await RawConnection.open(url, { deaf: true, from: '127.0.0.2' });
    const sending = setInterval(() => void deaf.send(rawRequest(`GET ${DOCUMENT}`)), 5);
    await work().finally(() => clearInterval(sending));
    deaf.abort();
  }

  test('is disconnected after twice REQUEST_TIMEOUT_MS, though it goes on sending', async () => {
    const impatient = await service.another({ REQUEST_TIMEOUT_MS: 200 });
    await impatient.client.get(DOCUMENT, { headers: { Connection: 'close' } }); // the first takes long
    await whileDeaf(impatient, () => untilConnections(impatient, 0));
  });
});

describe('Incomplete requests', () => {
  const SIXTY = { ...JSON_TYPE, 'Content-Length': '60' };
  const CHUNKED = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };

  /** The beginnings of requests, none of which is ever finished. */
  const BEGINNINGS = {
    nothing: '',
    'a byte': 'P',
    'a head': `${LOGIN} HTTP/1.1\r\nHost: x\r\nX-Slow: `,
    'no byte of a body': rawRequest(LOGIN, SIXTY),
    'a part of a body': rawRequest(LOGIN, SIXTY, '{"grant_type": '),
    'a part of a chunk': rawRequest(LOGIN, CHUNKED, '9\r\n{"gr'),
    'a body that no endpoint reads': rawRequest('POST /nothing', { 'Content-Length': '60' }, '{'),
  };

  test('Slots are not taken by requests whose body has not arrived; those of requests with a token not by logins, nor the other way round', async () => {
    const small = await service.another({ MAX_IN_FLIGHT: 1 });
    const login = () => small.client.login(till.username, till.password);
    for (const bytes of Object.values(BEGINNINGS)) await times(3, () => open(small, bytes));
    await times(3, () => open(small, rawUpload(till.token).slice(0, -20)));
    expect([(await upload(small)).status, (await login()).status]).toEqual([200, 200]);
    await service.database.query('BEGIN; LOCK TABLE users');
    const first = login();
    await eventually(() => slotsOf(small).anonymous === 1, 'the slot to be taken');
    expect((await login()).status).toBe(503);
    const uploading = upload(small);
    await service.database.query('COMMIT');
    expect([(await first).status, (await uploading).status]).toEqual([200, 200]);
  });

  test('that do not go on are closed after REQUEST_TIMEOUT_MS, with 408 where none was answered', async () => {
    const hasty = await service.another({ REQUEST_TIMEOUT_MS: 500 });
    for (const [name, bytes] of Object.entries(BEGINNINGS)) {
      const connection = await open(hasty, bytes);
      const status = name === 'a body that no endpoint reads' ? 404 : 408;
      expectError(await connection.answer(), status);
      expect([name, await connection.closed()]).toEqual([name, undefined]);
    }
  });
});
