import type { Server, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import type { HttpServer } from '@nestjs/common';
import type { JsonExpressAdapter } from '../../src/http/adapter/json-express.adapter.js';
import { untilServed, type Answer } from '../support/client.js';
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
const LOGIN = '/api/v1/auth/login';

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

function upload({ client } = service): Promise<Answer> {
  return client.upload(till.token, [record()]);
}

/** As clients do: a kept connection may be closed just when it is used again. */
const uploadOnceMore = (): Promise<Answer> => upload().catch(() => upload());

const adapterOf = ({ app }: TestApp) => app.getHttpAdapter() as HttpServer as JsonExpressAdapter;

async function untilConnections({ app }: TestApp, most: number): Promise<void> {
  const server: Server = app.getHttpServer();
  const count = promisify(server.getConnections.bind(server));
  await eventually(async () => (await count()) <= most, `${most} connections`);
}

const areOpen = (connections: RawConnection[]): boolean[] =>
  connections.map(({ isOpen }) => isOpen);

async function open({ url }: TestApp, bytes: string, from?: string): Promise<RawConnection> {
  const connection = await RawConnection.open(url, from === undefined ? {} : { from });
  opened.push(connection);
  await connection.send(bytes);
  return connection;
}

describe('Many connections', () => {
  /** Opens a connection and waits for the response to its first request. */
  async function used(to: TestApp, from = '127.0.0.2'): Promise<RawConnection> {
    const connection = await open(to, LIVE, from);
    await connection.answer();
    return connection;
  }

  async function manyUsed(to: TestApp, count: number, from?: string): Promise<RawConnection[]> {
    const connections: RawConnection[] = [];
    while (connections.length < count) connections.push(await used(to, from));
    return connections;
  }

  describe.each([
    ['MAX_CONNECTIONS_PER_CLIENT', { MAX_CONNECTIONS_PER_CLIENT: LIMIT }],
    ['MAX_CONNECTIONS', { MAX_CONNECTIONS: LIMIT }],
  ])('%s', (_setting, settings) => {
    let small: TestApp;
    beforeAll(async () => (small = await service.another(settings)));
    beforeEach(() => untilConnections(small, 0)); // those of the test before
    test('the connection that was idle for longest is closed for a new one', async () => {
      const connections = await manyUsed(small, LIMIT);
      await connections[0]!.send(LIVE);
      await connections[0]!.answers(2);
      connections.push(await used(small));
      await connections[1]!.closed();
      expect(areOpen(connections)).toEqual([true, false, true, true, true]);
    });

    test('one that has sent nothing is closed before one that was used', async () => {
      const silent = await open(small, '', '127.0.0.2');
      const others = await manyUsed(small, LIMIT);
      await silent.closed();
      expect(areOpen(others)).not.toContain(false);
    });

    test('what is being processed is never closed: a new connection is', async () => {
      const uploading = await manyUsed(small, LIMIT);
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

  test('A burst of requests from one address is served, however many connections it takes', async () => {
    const uploads = Array.from({ length: 300 }, () => untilServed(upload));
    expect(new Set((await Promise.all(uploads)).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
  });

  test('A client that fills MAX_CONNECTIONS loses its own connections first', async () => {
    const small = await service.another({ MAX_CONNECTIONS: 20, MAX_CONNECTIONS_PER_CLIENT: LIMIT });
    const honest = await manyUsed(small, LIMIT - 1, '127.0.0.4');
    await manyUsed(small, 40, '127.0.0.2');
    expect(areOpen(honest)).not.toContain(false);
    for (let count = 0; count < 40; count++) await open(small, '', '127.0.0.2');
    await used(small, '127.0.0.4');
    expect(areOpen(honest)).not.toContain(false);
  });

  test('Other clients are not affected by the connections of one; a trusted proxy may have more, and 0 means no limit', async () => {
    const small = await service.another({
      MAX_CONNECTIONS_PER_CLIENT: LIMIT,
      TRUST_PROXY: '127.0.0.3',
    });
    const unlimited = await service.another({ MAX_CONNECTIONS_PER_CLIENT: 0 });
    const honest = await manyUsed(small, LIMIT, '127.0.0.4');
    await manyUsed(small, 50, '127.0.0.2');
    const others = [
      ...(await manyUsed(small, LIMIT * 3, '127.0.0.3')),
      ...(await Promise.all(Array.from({ length: 300 }, () => used(unlimited)))),
    ];
    expect(areOpen([...honest, ...others])).not.toContain(false);
  });

  test('A flood of idle connections leaves uploads from the same address as they were', async () => {
    const flood = Array.from({ length: 500 }, () => open(service, ''));
    for (let count = 0; count < 20; count++) expect((await uploadOnceMore()).status).toBe(200);
    await Promise.all(flood);
    expect((await uploadOnceMore()).status).toBe(200);
    await untilConnections(service, service.config.MAX_CONNECTIONS_PER_CLIENT);
  });
});

describe('Requests that are sent before the response to the first', () => {
  let connection: RawConnection;
  beforeEach(async () => (connection = await open(service, '')));

  test('are processed one after the other', async () => {
    const { slots } = adapterOf(service);
    await whileDaysAreLocked(service.database, async () => {
      await connection.send(
        rawUpload(till.token, { hour: 1 }) + rawUpload(till.token, { hour: 2 }),
      );
      await eventually(() => slots.size > 0, 'the first upload');
      await service.client.get('/health/live');
      expect(slots.size).toBe(1);
    });
    expect((await connection.answers(2)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test.each([
    ['a health check', LIVE],
    ['a faulty login', rawRequest(`POST ${LOGIN}`, JSON_TYPE, '{}')],
    ['garbage', 'garbage\r\n\r\n'],
  ])('beyond one close the connection after the response: %s', async (_name, request) => {
    await whileDaysAreLocked(service.database, async () => {
      await connection.send(rawUpload(till.token, { hour: 1 }) + request.repeat(500));
      await service.client.get('/health/live');
    });
    await connection.closed();
    const [first, ...others] = await connection.answers();
    expect([first?.status, first?.headers.get('Connection')]).toEqual([200, 'close']);
    expect(others).toEqual([]);
  });

  test('leave the connection usable', async () => {
    for (let round = 1; round <= 5; round++) {
      await connection.send(rawUpload(till.token, { hour: round }) + LIVE);
      expect((await connection.answers(round * 2)).length).toBe(round * 2);
    }
  });
});

describe('A client that never reads', () => {
  const DOCUMENT = rawRequest('GET /api/v1/openapi.json');

  test('is disconnected after twice REQUEST_TIMEOUT_MS, though it goes on sending', async () => {
    const impatient = await service.another({ REQUEST_TIMEOUT_MS: 200 });
    await impatient.client.get('/api/v1/openapi.json', { headers: { Connection: 'close' } }); // the first takes long
    const deaf = await RawConnection.open(impatient.url, { deaf: true });
    const sending = setInterval(() => void deaf.send(DOCUMENT), 5);
    await untilConnections(impatient, 0).finally(() => clearInterval(sending));
    deaf.abort();
  });

  test('does not keep a connection that others need', async () => {
    const small = await service.another({ MAX_CONNECTIONS_PER_CLIENT: 1 });
    await small.client.get('/api/v1/openapi.json');
    const deaf = await RawConnection.open(small.url, { deaf: true, from: '127.0.0.2' });
    const server: Server = small.app.getHttpServer();
    let socket: Socket | undefined;
    server.once('request', (request: IncomingMessage) => (socket = request.socket));
    const sending = setInterval(() => void deaf.send(DOCUMENT), 5);
    await eventually(() => socket && socket.writableLength > 0, 'a response that is not read');
    await eventually(async () => {
      const next = await open(small, LIVE, '127.0.0.2').catch(() => undefined);
      return (await next?.answer().catch(() => undefined))?.status === 200;
    }, 'another connection').finally(() => clearInterval(sending));
    deaf.abort();
  });
});

describe('Incomplete requests', () => {
  const MAX_INCOMPLETE_REQUESTS = 100;
  const ROOMY = { MAX_CONNECTIONS: 10 * MAX_INCOMPLETE_REQUESTS };
  const SIXTY = { ...JSON_TYPE, 'Content-Length': '60' };

  /** The beginnings of requests, none of which is ever finished. */
  const BEGINNINGS = {
    nothing: '',
    'a byte': 'P',
    'a head': `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nX-Slow: `,
    'no byte of a body': rawRequest(`POST ${LOGIN}`, SIXTY),
    'a part of a body': rawRequest(`POST ${LOGIN}`, SIXTY, '{"grant_type": '),
    'a part of a chunk': rawRequest(
      `POST ${LOGIN}`,
      { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
      '9\r\n{"gr',
    ),
    'a body that no endpoint reads': rawRequest('POST /nothing', { 'Content-Length': '60' }, '{'),
  };

  /** Opens connections one after the other, each of them seen by the service before the next. */
  async function openMany(
    to: TestApp,
    bytes: string,
    count: number,
    from?: string,
  ): Promise<RawConnection[]> {
    const connections: RawConnection[] = [];
    for (let index = 0; index < count; index++) {
      connections.push(await open(to, bytes, from));
      await to.client.get('/health/live');
    }
    return connections;
  }

  test('As many of them from one address as all clients may have hinder neither uploads nor logins from there', async () => {
    const roomy = await service.another(ROOMY);
    const all = Object.values(BEGINNINGS);
    for (let count = 0; count < MAX_INCOMPLETE_REQUESTS; count += all.length)
      await Promise.all(all.map((bytes) => open(roomy, bytes)));
    for (let count = 0; count < 20; count++)
      expect((await upload(roomy).catch(() => upload(roomy))).status).toBe(200);
    expect((await roomy.client.login(till.username, till.password)).status).toBe(200);
  });

  describe('Slots', () => {
    let small: TestApp;
    beforeAll(async () => (small = await service.another({ ...ROOMY, MAX_IN_FLIGHT: 1 })));

    test('are not taken by requests whose body has not arrived', async () => {
      await openMany(small, BEGINNINGS['a part of a body'], 3);
      await openMany(small, rawUpload(till.token).slice(0, -20), 3);
      expect((await upload(small)).status).toBe(200);
      expect((await small.client.login(till.username, till.password)).status).toBe(200);
    });

    test('of requests with a token are not taken by logins, nor the other way round', async () => {
      await service.database.query('BEGIN');
      await service.database.query('LOCK TABLE users');
      const login = small.client.login(till.username, till.password);
      await eventually(() => adapterOf(small).anonymousSlots.size === 1, 'the slot to be taken');
      expect((await small.client.login('other', 'x')).status).toBe(503);
      const uploading = upload(small);
      await service.database.query('COMMIT');
      expect([(await login).status, (await uploading).status]).toEqual([200, 200]);
    });
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
      const connections = await openMany(
        small,
        rawRequest('GET /health/live'),
        LIMIT + 1,
        newClient(),
      );
      for (const connection of connections) await connection.answer();
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
