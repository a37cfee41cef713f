import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { createApp } from '../../src/create-app.js';
import { UsersService } from '../../src/users/users.service.js';
import { Client } from '../support/client.js';
import { RIGHT } from '../support/logins.js';
import { createTestApp } from '../support/test-app.js';

test("a login's line in the log names the user's id, or a keyed hash of a name that nobody has, and nothing typed", async () => {
  const service = await createTestApp();
  const lines: string[] = [];
  const app = await createApp(service.config, pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }));
  await app.listen(0, '127.0.0.1');
  const client = new Client(`http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`);
  await app.get(UsersService).add('till-1', RIGHT);

  await client.login('till-1', RIGHT);
  await client.login('till-1', 'Wrong-Password');
  await client.login('My-Password-In-The-Wrong-Field', 'x');
  for (let time = 0; time < 5; time++) await client.login('till-1', 'Wrong-Password');
  await app.close();
  await service.close();

  const requests: any[] = lines.map((line) => JSON.parse(line)).filter(({ status }) => status !== undefined);
  expect(requests.map(({ status, login }) => [status, login])).toEqual([
    [200, 'user:1'],
    [401, 'user:1'],
    [401, expect.stringMatching(/^name:[\w-]{22}$/)],
    ...Array.from({ length: 4 }, () => [401, 'user:1']),
    [429, 'user:1'],
  ]);
  for (const secret of ['Password', RIGHT, 'till-1', 'eyJ']) expect(lines.join('\n')).not.toContain(secret);
});
