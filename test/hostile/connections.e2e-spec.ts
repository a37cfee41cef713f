import type { Server, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import type { HttpServer } from '@nestjs/common';
import type { JsonExpressAdapter } from '../../src/http/adapter/json-express.adapter.js';
import { untilServed, type Answer } from '../support/client.js';
import { expectError } from '../support/expect-error.js';
import { givenTill } from '../support/given.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let token: string;
beforeAll(async () => {
  service = await createTestApp();
  ({ token } = await givenTill(service));
  await service.client.upload(token, [record()]);
});
afterAll(() => service.close());

describe('Many connections', () => {
  const LIMIT = 4;
  const LIVE = rawRequest('GET /health/live');

  let opened: RawConnection[] = [];
  afterEach(() => {
    opened.forEach((connection) => connection.abort());
    opened = [];
  });

  /** Opens a connection and waits for the response to its first request. */
  async function used({ url }: TestApp, from = '127.0.0.2'): Promise<RawConnection> {
    const connection = await RawConnection.open(url, { from });
    opened.push(connection);
    await connection.send(LIVE);
    await connection.answer();
    return connection;
  }

  async function manyUsed(to: TestApp, count: number, from?: string): Promise<RawConnection[]> {
    const connections: RawConnection[] = [];
    while (connections.length < count) connections.push(await used(to, from));
    return connections;
  }

  /** Connections whose uploads are being processed while `work` runs. */
  async function whileUploading(
    to: TestApp,
    count: number,
    work: (uploading: RawConnection[]) => Promise<void>,
  ) {
    await service.database.query('BEGIN');
    await service.database.query('UPDATE sales_days SET uploads = uploads');
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const body = JSON.stringify({ records: [record()] });
    const uploading = await manyUsed(to, count);
    for (const connection of uploading)
      await connection.send(rawRequest('POST /api/v1/sales/upload-daily', headers, body));
    const { slots } = to.app.getHttpAdapter() as HttpServer as JsonExpressAdapter;
    await eventually(() => slots.count === count, 'the uploads to be processed');
    await work(uploading).finally(() => service.database.query('COMMIT'));
    for (const connection of uploading) expect((await connection.answers(2))[1]?.status).toBe(200);
  }

  async function untilConnections({ app }: TestApp, most: number): Promise<void> {
    const server: Server = app.getHttpServer();
    const count = promisify(server.getConnections.bind(server));
    await eventually(async () => (await count()) <= most, `${most} connections`);
  }

  const areOpen = (connections: RawConnection[]): boolean[] =>
    connections.map(({ isOpen }) => isOpen);

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
      const silent = await RawConnection.open(small.url, { from: '127.0.0.2' });
      const others = await manyUsed(small, LIMIT);
      await silent.closed();
      expect(areOpen(others)).not.toContain(false);
    });

    test('what is being processed is never closed: a new connection is', async () => {
      await whileUploading(small, LIMIT, async () => {
        const closed = used(small).then((connection) => connection.closed());
        await closed.catch((error: unknown) => error); // one without room is refused
      });
    });
  });

  test('A burst of requests from one address is served, however many connections it takes', async () => {
    const uploads = Array.from({ length: 300 }, () =>
      untilServed(() => service.client.upload(token, [record()])),
    );
    expect(new Set((await Promise.all(uploads)).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
  });

  test('A client that fills MAX_CONNECTIONS loses its own connections first', async () => {
    const small = await service.another({ MAX_CONNECTIONS: 20, MAX_CONNECTIONS_PER_CLIENT: LIMIT });
    const honest = await manyUsed(small, LIMIT - 1, '127.0.0.4');
    for (let count = 0; count < 60; count++)
      opened.push(await RawConnection.open(small.url, { from: '127.0.0.2' }));
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
    const floods = Array.from({ length: 500 }, async () =>
      opened.push(await RawConnection.open(service.url)),
    );
    const upload = (): Promise<Answer> => service.client.upload(token, [record()]);
    // a kept connection may be closed just when it is used again: clients send such a request once more
    for (let count = 0; count < 20; count++)
      expect((await upload().catch(upload)).status).toBe(200);
    await Promise.all(floods);
    expect((await upload().catch(upload)).status).toBe(200);
    await untilConnections(service, service.config.MAX_CONNECTIONS_PER_CLIENT);
  });
});

describe('Pipelining', () => {
  const LIVE = rawRequest('GET /health/live');

  let headers: Record<string, string>;
  let connection: RawConnection;
  beforeAll(() => {
    headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
  });
  beforeEach(async () => (connection = await RawConnection.open(service.url)));
  afterEach(() => connection.abort());

  const upload = (hour: number): string =>
    rawRequest(
      'POST /api/v1/sales/upload-daily',
      headers,
      JSON.stringify({ records: [record({ hour, gto: hour })] }),
    );

  /** Keeps uploads from being finished while `work` runs. */
  async function whileUploadsWait(work: () => Promise<void>): Promise<void> {
    await service.database.query('BEGIN');
    await service.database.query('UPDATE sales_days SET uploads = uploads');
    await work().finally(() => service.database.query('COMMIT'));
  }

  describe('Requests that are sent before the response to the first', () => {
    test('are processed one after the other', async () => {
      const { slots } = service.app.getHttpAdapter() as HttpServer as JsonExpressAdapter;
      await whileUploadsWait(async () => {
        await connection.send(upload(1) + upload(2));
        await eventually(() => slots.count > 0, 'the first upload');
        await service.client.get('/health/live');
        expect(slots.count).toBe(1);
      });
      expect((await connection.answers(2)).map(({ status }) => status)).toEqual([200, 200]);
    });

    test.each([
      ['a health check', LIVE],
      [
        'a faulty login',
        rawRequest('POST /api/v1/auth/login', { 'Content-Type': 'application/json' }, '{}'),
      ],
      ['garbage', 'garbage\r\n\r\n'],
    ])(
      'beyond one that waits close the connection after its response: %s',
      async (_name, request) => {
        await whileUploadsWait(async () => {
          await connection.send(upload(1) + request.repeat(500));
          await service.client.get('/health/live');
        });
        await connection.closed();
        const [first, second, ...others] = await connection.answers(3);
        expect([first?.status, others.length]).toEqual([200, 0]);
        expect(second?.headers.get('Connection')).toBe('close');
      },
    );

    test('leave the connection usable', async () => {
      for (let round = 1; round <= 5; round++) {
        await connection.send(upload(round) + LIVE);
        expect((await connection.answers(round * 2)).length).toBe(round * 2);
      }
    });
  });

  describe('A client that never reads', () => {
    let impatient: TestApp;
    let deaf: RawConnection;
    beforeAll(async () => {
      impatient = await service.another({ REQUEST_TIMEOUT_MS: 200 });
      await impatient.client.get('/api/v1/openapi.json', { headers: { Connection: 'close' } }); // the first takes long
    });
    beforeEach(async () => (deaf = await RawConnection.open(impatient.url, { deaf: true })));
    afterEach(() => deaf.abort());

    async function disconnected(): Promise<void> {
      const server: Server = impatient.app.getHttpServer();
      const count = promisify(server.getConnections.bind(server));
      await eventually(async () => (await count()) === 0, 'it to be disconnected');
    }

    test('is disconnected after twice REQUEST_TIMEOUT_MS, though it goes on sending', async () => {
      const document = rawRequest('GET /api/v1/openapi.json');
      const sending = setInterval(() => void deaf.send(document), 5);
      await disconnected().finally(() => clearInterval(sending));
    });

    test('does not keep a connection that others need', async () => {
      const small = await service.another({ MAX_CONNECTIONS_PER_CLIENT: 1 });
      await small.client.get('/api/v1/openapi.json');
      const blocking = await RawConnection.open(small.url, { deaf: true, from: '127.0.0.2' });
      const server: Server = small.app.getHttpServer();
      let socket: Socket | undefined;
      server.once('request', (request: IncomingMessage) => (socket = request.socket));
      const document = rawRequest('GET /api/v1/openapi.json');
      const sending = setInterval(() => void blocking.send(document), 5);
      await eventually(() => socket && socket.writableLength > 0, 'a response that is not read');
      await eventually(async () => {
        const next = await RawConnection.open(small.url, { from: '127.0.0.2' }).catch(
          () => undefined,
        );
        await next?.send(LIVE);
        return (await next?.answer().catch(() => undefined))?.status === 200;
      }, 'another connection').finally(() => clearInterval(sending));
    });
  });
});

describe('Incomplete requests', () => {
  const LOGIN = '/api/v1/auth/login';
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const LIMIT = 4;
  const MAX_INCOMPLETE_REQUESTS = 100;

  /** The beginnings of requests, none of which is ever finished. */
  const BEGINNINGS = {
    nothing: '',
    'a byte': 'P',
    'a head': `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nX-Slow: `,
    'no byte of a body': rawRequest(`POST ${LOGIN}`, { ...JSON_TYPE, 'Content-Length': '60' }),
    'a part of a body': rawRequest(
      `POST ${LOGIN}`,
      { ...JSON_TYPE, 'Content-Length': '60' },
      '{"grant_type": ',
    ),
    'a part of a chunk': rawRequest(
      `POST ${LOGIN}`,
      { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
      '9\r\n{"gr',
    ),
    'a body that no endpoint reads': rawRequest('POST /nothing', { 'Content-Length': '60' }, '{'),
  };

  let service: TestApp;
  let till: { username: string; password: string; token: string };
  let opened: RawConnection[] = [];
  beforeAll(async () => {
    service = await createTestApp({ MAX_CONNECTIONS: 10 * MAX_INCOMPLETE_REQUESTS });
    till = await givenTill(service);
  });
  afterEach(() => {
    opened.forEach((connection) => connection.abort());
    opened = [];
  });
  afterAll(() => service.close());

  async function open({ url }: TestApp, bytes: string, from?: string): Promise<RawConnection> {
    const connection = await RawConnection.open(url, from === undefined ? {} : { from });
    opened.push(connection);
    await connection.send(bytes);
    return connection;
  }

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
    const all = Object.values(BEGINNINGS);
    for (let count = 0; count < MAX_INCOMPLETE_REQUESTS; count += all.length)
      await Promise.all(all.map((bytes) => open(service, bytes)));
    const upload = () => service.client.upload(till.token, [record()]);
    // a kept connection may be closed just when it is used again: clients send such a request once more
    for (let count = 0; count < 20; count++)
      expect((await upload().catch(upload)).status).toBe(200);
    expect((await service.client.login(till.username, till.password)).status).toBe(200);
  });

  describe('Slots', () => {
    let small: TestApp;
    beforeAll(async () => (small = await service.another({ MAX_IN_FLIGHT: 1 })));

    test('are not taken by requests whose body has not arrived', async () => {
      const upload = {
        ...JSON_TYPE,
        Authorization: `Bearer ${till.token}`,
        'Content-Length': '60',
      };
      await openMany(small, BEGINNINGS['a part of a body'], 3);
      await openMany(small, rawRequest('POST /api/v1/sales/upload-daily', upload, '{"records'), 3);
      expect((await small.client.upload(till.token, [record()])).status).toBe(200);
      expect((await small.client.login(till.username, till.password)).status).toBe(200);
    });

    test('of requests with a token are not taken by logins, nor the other way round', async () => {
      await service.database.query('BEGIN');
      await service.database.query('LOCK TABLE users');
      const login = small.client.login(till.username, till.password);
      const { anonymousSlots } = small.app.getHttpAdapter() as HttpServer as JsonExpressAdapter;
      await eventually(() => anonymousSlots.count === 1, 'the slot to be taken');
      expect((await small.client.login('other', 'x')).status).toBe(503);
      const upload = small.client.upload(till.token, [record()]);
      await service.database.query('COMMIT');
      expect([(await login).status, (await upload).status]).toEqual([200, 200]);
    });
  });

  describe('The limit of incomplete requests', () => {
    let small: TestApp;
    let addresses = 0;
    /** A client that no test has been. */
    const newClient = (): string => `127.0.1.${++addresses}`;
    beforeAll(async () => {
      small = await service.another({
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
        const open = [...others, ...elsewhere].filter(({ isOpen }) => isOpen).length;
        return { name, statuses, open };
      });
      for (const { name, ...found } of await Promise.all(rows)) {
        const status = name === 'a body that no endpoint reads' ? 404 : 408;
        expect({ name, ...found }).toEqual({ name, statuses: [status, status], open: 2 * LIMIT });
      }
      expect(proxied.filter(({ isOpen }) => !isOpen)).toEqual([]);
    });

    test('of all clients: the oldest of all is closed', async () => {
      const full = await service.another({ MAX_CONNECTIONS: 10 * LIMIT });
      const [oldest] = await openMany(full, BEGINNINGS['a head'], 1, '127.0.0.2');
      const others = await openMany(full, BEGINNINGS['a head'], LIMIT);
      expectError(await oldest!.answer(), 408);
      expect(others.filter(({ isOpen }) => !isOpen)).toEqual([]);
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
      const closed = (): number => connections.filter(({ isOpen }) => !isOpen).length;
      await eventually(() => closed() === 1, 'one to be closed');
    });

    test('never counts a request that has arrived', async () => {
      const single = await service.another({ MAX_CONNECTIONS_PER_CLIENT: 4 });
      await single.client.upload(till.token, [record()]);
      await service.database.query('BEGIN');
      await service.database.query('UPDATE sales_days SET uploads = uploads');
      const body = JSON.stringify({ records: [record()] });
      const headers = { ...JSON_TYPE, Authorization: `Bearer ${till.token}` };
      const uploads = await openMany(
        single,
        rawRequest('POST /api/v1/sales/upload-daily', headers, body),
        3,
      );
      await openMany(single, BEGINNINGS['a part of a body'], 3);
      await service.database.query('COMMIT');
      for (const connection of uploads) expect((await connection.answer()).status).toBe(200);
    });
  });
});
