import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from './client.js';

const PACKAGE = import.meta.resolve('restaurant-hourly-sales-upload-service/package.json');
const FIXTURES = fileURLToPath(new URL('./fixtures.json', import.meta.url));

test('the command serves suites in other languages', async () => {
  const options = ['--set', 'LOGIN_MAX_FAILURES=2', '--now', '2025-10-16T08:00:00Z', '--stdin'];
  const args = ['run', '--silent', 'test-server', '--', FIXTURES, ...options];
  const cwd = fileURLToPath(new URL('.', PACKAGE));
  const server = spawn('npm', args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const ask = async (command) => {
    server.stdin.write(`${JSON.stringify(command)}\n`);
    return JSON.parse((await lines.next()).value);
  };
  const { url, controlUrl, databaseUrl } = JSON.parse((await lines.next()).value);
  assert.match(databaseUrl, /^postgres:/);
  const client = new Client(url);
  const { token } = await ask({ token: 'till' });
  assert.equal((await client.read('uploads', token)).body.uploads.length, 2);
  const later = { setClock: '2025-10-16T11:00:00Z' };
  assert.deepEqual(await ask(later), later);
  assert.equal((await client.read('uploads', token)).status, 401);
  assert.equal((await ask({ admin: ['sales', 'missing'] })).status, 3);
  assert.deepEqual(await ask({ token: 'nobody' }), { error: 'there is no enabled user nobody' });
  for (let failure = 0; failure < 2; failure++) await client.login('till', 'wrong');
  assert.equal((await client.login('till', 'a long passphrase')).status, 429);
  const instruct = (instruction) =>
    fetch(controlUrl, { method: 'POST', body: JSON.stringify(instruction) });
  const failing = { setFaults: [{ status: 503, path: '/api/v1/restaurants', count: 2 }] };
  assert.deepEqual(await (await instruct(failing)).json(), failing);
  const office = await ask({ token: 'office' });
  const read = () => client.send('GET', '/api/v1/restaurants', office);
  const busy = [await read(), await read()];
  assert.deepEqual(busy[1].body, { error: 'a test asked for this error' });
  for (const { status, headers } of busy)
    assert.deepEqual([status, headers.get('X-Error-Code')], [503, 'overloaded']);
  assert.equal((await read()).status, 200);
  const nothing = await instruct({ setFaults: [{ count: 2 }] });
  const error = 'faults[0] has none of status, delay_ms and lost';
  assert.deepEqual([nothing.status, await nothing.json()], [400, { error }]);
  assert.equal((await fetch(new URL('/', controlUrl), { method: 'POST' })).status, 404);
  server.stdin.end();
  assert.deepEqual(await once(server, 'exit'), [0, null]);
});
