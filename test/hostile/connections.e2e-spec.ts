import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import type { HttpServer } from '@nestjs/common';
import type { JsonExpressAdapter } from '../../src/http/adapter/json-express.adapter.js';
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

const adapterOf = ({ app }: TestApp) => app.getHttpAdapter() as HttpServer as JsonExpressAdapter;

async function untilConnections({ app }: TestApp, most: number): Promise<void> {
  const server: Server = app.getHttpServer();
  const count = promisify(server.getConnections.bind(server));
  await eventually(async () => (await count()) <= most, `${most} connections`);
}

const areOpen = (connections: RawConnection[]): boolean[] =>
  connections.map(({ isOpen }) => isOpen);

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
  describe.each(['MAX_CONNECTIONS_PER_CLIENT', 'MAX_CONNECTIONS'])('%s', (setting) => {
    let small: TestApp;
    beforeAll(async () => (small = await service.another({ [setting]: LIMIT })));
    beforeEach(() => untilConnections(small, 0)); // those of the test before

    test('the connection that was idle for longest is closed for a new one', async () => {
      const connections = await times(LIMIT, () => used(small));
      await connections[0]!.send(LIVE);
      await connections[0]!.answers(2);
      connections.push(await used(small));
      await connections[1]!.closed();
      expect(areOpen(connections)).toEqual([true, false, true, true, true]);
    });

    test('one that has sent nothing is closed before one that was used', async () => {
      const silent = await open(small, '', '127.0.0.2');
      const others = await times(LIMIT, () => used(small));
      await silent.closed();
      expect(areOpen(others)).not.toContain(false);
    });

    test('what is being processed is never closed: a new connection is', async () => {
      const uploading = await times(LIMIT, () => used(small));
      await whileDaysAreLocked(service.database, async () => {
        for (const connection of uploading) await connection.send(rawUpload(till.token));
        await eventually(() => adapterOf(small).slots.size === LIMIT, 'the uploads in work');
        const closed = used(small).then((connection) => connection.closed());
        await closed.catch((error: unknown) => error); // one without room is refused
      });
      for (const connection of uploading)
        expect((await connection.answers(2))[1]?.status).toBe(200);
    });
  });

  test('A burst of requests from one address is served, and a flood of idle connections after it leaves uploads from there as they were', async () => {
    const burst = Array.from({ length: 300 }, () => untilServed(upload));
    const answers = await Promise.all(burst);
    const flood = Array.from({ length: 500 }, () => open(service, ''));
    answers.push(...(await times(20, upload)));
    await Promise.all(flood);
    answers.push(await upload());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await untilConnections(service, service.config.MAX_CONNECTIONS_PER_CLIENT);
  });

  test('A client that fills them loses its own; a proxy may have more; 0 is no limit', async () => {
    const limits = { MAX_CONNECTIONS: 20, MAX_CONNECTIONS_PER_CLIENT: LIMIT };
    const small = await service.another({ ...limits, TRUST_PROXY: '127.0.0.3' });
    const unlimited = await service.another({ MAX_CONNECTIONS_PER_CLIENT: 0 });
    const kept = await times(LIMIT - 1, () => used(small, '127.0.0.4'));
    kept.push(...(await times(LIMIT * 3, () => used(small, '127.0.0.3'))));
    await times(40, () => used(small));
    await times(40, () => open(small, '', '127.0.0.2'));
    kept.push(await used(small, '127.0.0.4'));
    kept.push(...(await Promise.all(Array.from({ length: 300 }, () => used(unlimited)))));
    expect(areOpen(kept)).not.toContain(false);
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
    hundreds: DOCUMENT.repeat(500),
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
      const { slots, anonymousSlots } = adapterOf(other);
      const inFlight = (): number => slots.size + anonymousSlots.size;
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

  test.each([
    ['an upload', () => rawUpload(till.token, { hour: 2 })],
    ['garbage', () => 'garbage\r\n\r\n'],
    ['many uploads', () => rawUpload(till.token, { hour: 2 }).repeat(100)],
  ])('is not processed: the response is the last of the connection: %s', async (_what, rest) => {
    await service.database.query('DELETE FROM hourly_sales WHERE hour = 2');
    let requests = 0;
    const count = (): void => {
      requests++;
    };
    const server: Server = service.app.getHttpServer();
    server.on('request', count);
    const connection = await open(service, rawUpload(till.token, { hour: 1 }) + rest());
    await connection.closed();
    server.off('request', count);
    expect(requests).toBe(1); // what follows costs nothing more than to read it
    const answers = await connection.answers();
    expect(answers.map(({ status }) => status)).toEqual([200]);
    expect(answers[0]!.headers.get('Connection')).toBe('close');
    expect(await service.database.query('SELECT FROM hourly_sales WHERE hour = 2')).toEqual([]);
  });

  test('is not read on', async () => {
    const server: Server = service.app.getHttpServer();
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const flooding = await open(service, '');
    const [socket] = await accepted;
    await whileDaysAreLocked(service.database, async () => {
      await flooding.send(rawUpload(till.token, { hour: 1 }));
      void flooding.send(LIVE.repeat(500_000));
      await eventually(() => socket.bytesRead > 10_000, 'the flood');
    });
    await flooding.closed();
    expect(socket.bytesRead).toBeLessThan(1_000_000);
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

  test('does not keep a connection that others need', async () => {
    const small = await service.another({ MAX_CONNECTIONS_PER_CLIENT: 1 });
    await small.client.get(DOCUMENT);
    await whileDeaf(small, async () => {
      await eventually(() => used(small).catch(() => false as const), 'another connection');
    });
  });
});

describe('Incomplete requests', () => {
  const MAX_INCOMPLETE_REQUESTS = 100;
  const ROOMY = { MAX_CONNECTIONS: 10 * MAX_INCOMPLETE_REQUESTS };
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

  /** Opens connections one after the other, each of them seen by the service before the next. */
  const openMany = (to: TestApp, bytes: string, count: number, from?: string) =>
    times(count, async () => {
      const connection = await open(to, bytes, from);
      await to.client.get('/health/live');
      return connection;
    });

  test('As many of them from one address as all clients may have hinder neither uploads nor logins from there', async () => {
    const roomy = await service.another(ROOMY);
    const all = Object.values(BEGINNINGS);
    for (let count = 0; count < MAX_INCOMPLETE_REQUESTS; count += all.length)
      await Promise.all(all.map((bytes) => open(roomy, bytes)));
    for (const { status } of await times(20, () => upload(roomy))) expect(status).toBe(200);
    expect((await roomy.client.login(till.username, till.password)).status).toBe(200);
  });

  test('Slots are not taken by requests whose body has not arrived; those of requests with a token not by logins, nor the other way round', async () => {
    const small = await service.another({ ...ROOMY, MAX_IN_FLIGHT: 1 });
    const login = () => small.client.login(till.username, till.password);
    await openMany(small, BEGINNINGS['a part of a body'], 3);
    await openMany(small, rawUpload(till.token).slice(0, -20), 3);
    expect([(await upload(small)).status, (await login()).status]).toEqual([200, 200]);
    await service.database.query('BEGIN; LOCK TABLE users');
    const first = login();
    await eventually(() => adapterOf(small).anonymousSlots.size === 1, 'the slot to be taken');
    expect((await login()).status).toBe(503);
    const uploading = upload(small);
    await service.database.query('COMMIT');
    expect([(await first).status, (await uploading).status]).toEqual([200, 200]);
  });

  describe('The limit of incomplete requests', () => {
    let small: TestApp;
    let addresses = 0;
    /** A client that no test has been. */
    const newClient = (): string => `127.0.1.${++addresses}`;
    beforeAll(async () => {
      small = await service.another({
        ...ROOMY,
        REQUEST_TIMEOUT_MS: 600_000, // closes none of them meanwhile
        MAX_CONNECTIONS_PER_CLIENT: 4 * LIMIT,
        TRUST_PROXY: '127.0.0.3',
      });
    });

    test('of a client: the oldest are closed with 408, but none of a trusted proxy', async () => {
      const proxied = await openMany(small, BEGINNINGS['a head'], LIMIT + 2, '127.0.0.3');
      const rows = Object.entries(BEGINNINGS).map(async ([name, bytes]) => {
        const elsewhere = await openMany(small, bytes, LIMIT, newClient());
        const [oldest, second, ...others] = await openMany(small, bytes, LIMIT + 2, newClient());
        const statuses = [(await oldest!.answer()).status, (await second!.answer()).status];
        await Promise.all([oldest!.closed(), second!.closed()]);
        await small.client.get('/health/live');
        const left = areOpen([...others, ...elsewhere]).filter((isOpen) => isOpen).length;
        return { name, statuses, left };
      });
      for (const { name, ...found } of await Promise.all(rows)) {
        const status = name === 'a body that no endpoint reads' ? 404 : 408;
        expect({ name, ...found }).toEqual({ name, statuses: [status, status], left: 2 * LIMIT });
      }
      expect(areOpen(proxied)).not.toContain(false);
    });

    test('of all clients: the oldest of all is closed', async () => {
      const full = await service.another({ MAX_CONNECTIONS: 10 * LIMIT });
      const [oldest] = await openMany(full, BEGINNINGS['a head'], 1, '127.0.0.2');
      const others = await openMany(full, BEGINNINGS['a head'], LIMIT);
      expectError(await oldest!.answer(), 408);
      expect(areOpen(others)).not.toContain(false);
    });

    test('counts the beginning of a further request on a connection', async () => {
      const from = newClient();
      const connections = await times(LIMIT + 1, () => used(small, from));
      for (const connection of connections) await connection.send(BEGINNINGS['a head']);
      const closed = (): boolean[] => areOpen(connections).filter((isOpen) => !isOpen);
      await eventually(() => closed().length === 1, 'one to be closed');
    });

    test('never counts a request that has arrived', async () => {
      const single = await service.another({ ...ROOMY, MAX_CONNECTIONS_PER_CLIENT: 4 });
      let uploads: RawConnection[] = [];
      await whileDaysAreLocked(service.database, async () => {
        uploads = await openMany(single, rawUpload(till.token), 3);
        await openMany(single, BEGINNINGS['a part of a body'], 3);
      });
      for (const connection of uploads) expect((await connection.answer()).status).toBe(200);
    });
  });
});
