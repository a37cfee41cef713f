import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { HttpProxy } from '../support/http-proxy.js';
import { RawConnection, rawRequest } from '../support/raw-http.js';
import { record } from '../support/records.js';
import { seed } from '../support/seed.js';
import { endLeftovers, eventually, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const CLIENTS = 12;

let database: TestDatabase;
const instances: ServiceProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  await seed(database, { restaurants: Array.from({ length: CLIENTS }, (_, index) => index + 1) });
});
afterAll(() => database.drop());

function start(port: number): Promise<ServiceProcess> {
  return ServiceProcess.start({ DATABASE_URL: database.url, PORT: String(port), LOG_LEVEL: 'warn' });
}

test('A rolling restart of two instances under load loses no request', async () => {
  const ports = [await freePort(), await freePort()];
  instances.push(...(await Promise.all(ports.map(start))));
  const proxy = new HttpProxy(ports);
  const client = new Client(await proxy.listen());
  const token = await client.token('till', 'right password');
  const answers: string[] = [];
  let over = false;
  const load = Array.from({ length: CLIENTS }, async (_, index) => {
    while (!over) {
      const { status, text } = await client.upload(token, [record({ restaurant_id: index + 1 })]);
      answers.push(status === 200 ? '200' : `${status} ${text}`);
      await delay(5); // leaves the processor to the instances that start
    }
  });
  for (const [index, port] of ports.entries()) {
    await instances[index]!.stop();
    instances[index] = await start(port);
  }
  await eventually(() => answers.length > 100, 'the load');
  over = true;
  await Promise.all(load);
  proxy.close();
  expect(answers.filter((answer) => answer !== '200')).toEqual([]);
});

test('A stop resets no connection: those that wait to be accepted are answered, later ones refused', async () => {
  instances.push(await start(await freePort()));
  for (const service of instances) {
    service.signal('SIGSTOP'); // the kernel sets connections up meanwhile
    const waiting = await Promise.all(Array.from({ length: 40 }, () => RawConnection.open(service.url)));
    service.signal('SIGTERM');
    service.signal('SIGCONT');
    for (const connection of waiting) await connection.send(rawRequest('GET /health/live'));
    const answers = await Promise.all(waiting.map((connection) => connection.answer()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await service.exited;
    await expect(RawConnection.open(service.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }
});

afterAll(endLeftovers);
