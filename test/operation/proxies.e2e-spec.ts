import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Client } from '../support/client.js';
import { givenTill } from '../support/given.js';
import { RawConnection, rawRequest, rawUpload } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { eventually } from '../support/service-process.js';
import { createTestApp, type TestApp } from '../support/test-app.js';
import { whileDaysAreLocked } from '../support/test-database.js';
import { isInstalled, Proxy } from './proxies.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LOGIN = 'POST /api/v1/auth/login';
const UPLOAD = 'POST /api/v1/sales/upload-daily';

/** Of one address the shipped proxies take so many requests or connections at once. */
const PER_ADDRESS = 256;

describe.each(['nginx', 'haproxy'] as const)('Behind the shipped %s', (program) => {
  (isInstalled(program) ? describe : describe.skip)(program, () => {
    let service: TestApp;
    let proxy: Proxy;
    let token: string;
    let opened: RawConnection[] = [];
    let requests = 0;
    beforeAll(async () => {
      service = await createTestApp({ TRUST_PROXY: '127.0.0.1' });
      ({ token } = await givenTill(service));
      service.app
        .getHttpServer()
        .on('request', ({ url }: IncomingMessage) => (requests += url === '/health/ready' ? 0 : 1));
      const port = Number(new URL(service.url).port);
      proxy = await Proxy.start(program, [port]);
    });
    afterEach(() => {
      for (const connection of opened) connection.abort();
      opened = [];
    });
    afterAll(async () => {
      await proxy.stop();
      await service.close();
    });

    async function open(bytes: string, { from = '127.0.0.2', url = proxy.url, deaf = false } = {}) {
      const connection = await RawConnection.open(url, { from, deaf });
      opened.push(connection);
      await connection.send(bytes);
      return connection;
    }
    /** HAProxy closes what is too many at once, nginx answers it with 503. */
    const openOrBeRefused = (bytes: string) => open(bytes).catch(() => undefined);
    const upload = (changes = {}) => new Client(proxy.url).upload(token, [record(changes)]);

    test('an upload is saved, as of the address of its client', async () => {
      const connection = await open(rawUpload(token));
      expect((await connection.answer()).status).toBe(200);
      const ledger = 'SELECT client_address FROM uploads';
      expect(await service.database.query(ledger)).toEqual([{ client_address: '127.0.0.2' }]);
    });

    test('silent and slow clients are closed in time, and the service sees none of them', async () => {
      const seen = requests;
      const tls = `https://127.0.0.1:${proxy.tlsPort}`;
      const part = rawUpload(token).slice(0, -20);
      const beginnings = ['', 'P', `${LOGIN} HTTP/1.1\r\nHost: x\r\nX-Slow: `, part];
      const slow = await Promise.all([...beginnings.map((bytes) => open(bytes)), open('', { url: tls })]); // prettier-ignore
      for (const connection of slow) await connection.closed();
      expect(requests).toBe(seen);
      expect((await upload()).status).toBe(200);
    });

    test('300 silent connections of one address leave its uploads, and those of others, as they were', async () => {
      await Promise.all(Array.from({ length: 300 }, () => openOrBeRefused(''))); // prettier-ignore
      for (let hour = 0; hour < 10; hour++) expect((await upload({ hour })).status).toBe(200);
    });

    test('of 300 uploads at once from one address 256 are taken, and other addresses served', async () => {
      let taken: RawConnection[] = [];
      await whileDaysAreLocked(service.database, async () => {
        const burst = Array.from({ length: 300 }, (_, at) => openOrBeRefused(rawUpload(token, { hour: at % 24 }))); // prettier-ignore
        taken = (await Promise.all(burst)).filter((connection) => connection !== undefined);
        const isRefused = (connection: RawConnection) => !connection.isOpen || connection.text.includes('503'); // prettier-ignore
        const left = () => taken.filter((connection) => !isRefused(connection));
        await eventually(() => left().length <= PER_ADDRESS, () => `${left().length} to be ${PER_ADDRESS}`); // prettier-ignore
        const other = await open(rawRequest('GET /health/live'), { from: '127.0.0.3' });
        expect((await other.answer()).status).toBe(200);
        taken = left();
      });
      expect(taken.length).toBeGreaterThan(200);
      for (const connection of taken) expect((await connection.answer()).status).toBe(200);
    });

    test('requests that are sent ahead are answered in their order', async () => {
      const ahead = [1, 2].map((hour) => rawUpload(token, { hour })).join('');
      const connection = await open(`${ahead}${rawRequest('GET /nope')}`);
      const answers = await connection.answers(3);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
    });

    test('a client that never reads is disconnected', async () => {
      const deaf = await open('', { deaf: true });
      const ask = rawRequest('GET /api/v1/openapi.json').repeat(100);
      await eventually(async () => {
        await deaf.send(ask);
        return !deaf.isOpen;
      }, 'the end of a client that never reads');
      expect((await upload()).status).toBe(200);
    });

    test('port 80 leads to https', async () => {
      const url = `http://127.0.0.1:${proxy.redirectPort}/app/?x=1`;
      const { status, headers } = await fetch(url, { redirect: 'manual', headers: { Host: 'x' } });
      expect([status, headers.get('Location')]).toEqual([301, expect.stringMatching(/^https:\/\/.+\/app\/\?x=1$/)]); // prettier-ignore
    });

    describe('With instances that take a request and end', () => {
      const bodies: string[] = [];
      const ending: Server[] = [];
      let before: Proxy;
      beforeAll(async () => {
        for (let instance = 0; instance < 2; instance++) {
          const server = createServer((request, response) => {
            if (request.method === 'GET') return response.end('{}');
            request.on('data', (chunk) => bodies.push(String(chunk))).on('end', () => request.socket.destroy()); // prettier-ignore
            return undefined;
          });
          ending.push(server.listen(0, '127.0.0.1'));
          await once(server, 'listening');
        }
        before = await Proxy.start(program, ending.map((server) => (server.address() as AddressInfo).port)); // prettier-ignore
      });
      afterAll(async () => {
        await before.stop();
        ending.forEach((server) => server.close());
      });
      beforeEach(() => (bodies.length = 0));

      test.each([
        ['an upload is sent to the next one', UPLOAD, [2, 3]],
        ['a login is sent once', LOGIN, [1]],
        ['a change of the password is sent once', 'POST /api/v1/auth/password', [1]],
      ])('%s', async (_what, line, times) => {
        const connection = await open(rawRequest(line, JSON_TYPE, '{}'), { url: before.url });
        const { status, body } = await connection.answer();
        expect([status, Object.keys(body)]).toEqual([502, ['error']]);
        expect(times).toContain(bodies.length);
      });
    });

    // HAProxy closes the connection while the client is still sending more than fits its buffer.
    test.each(program === 'nginx' ? [110_000, 20_000_000] : [110_000])(
      'a client that sends %d bytes before it reads gets 413',
      async (bytes) => {
        const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1').pause();
        let received = '';
        const gone = once(socket, 'close');
        const head = rawRequest(UPLOAD, { ...JSON_TYPE, 'Content-Length': String(bytes) });
        socket.write(head);
        await new Promise((resolve) => socket.write(Buffer.alloc(bytes, 'x'), resolve));
        socket.on('data', (chunk) => (received += String(chunk))).resume();
        await gone;
        expect(received).toMatch(/^HTTP\/1.1 413 [^]*larger than 102400 bytes/);
      },
    );
  });
});
