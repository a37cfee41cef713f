import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from './client.js';

const PACKAGE = import.meta.resolve('restaurant-hourly-sales-upload-service/package.json');
const FIXTURES = fileURLToPath(new URL('./fixtures.json', import.meta.url));

/** A port that was free a moment ago. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

test('the command serves suites in other languages', async (t) => {
  const options = ['--set', 'LOGIN_MAX_FAILURES=2', '--now', '2025-10-16T08:00:00Z'];
  const args = ['run', '--silent', 'test-server', '--', FIXTURES, ...options];
  const cwd = fileURLToPath(new URL('.', PACKAGE));
  const PORT = String(await freePort());
  const env = { ...process.env, PORT };
  const server = spawn('npm', args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => server.kill()); // it would outlive a failed test
  const [line] = await once(createInterface(server.stdout), 'line');
  const { url, controlUrl, databaseUrl } = JSON.parse(line);
  const instruct = (instruction) =>
    fetch(controlUrl, { method: 'POST', body: JSON.stringify(instruction) });
  const ask = async (instruction) => (await instruct(instruction)).json();
  assert.match(databaseUrl, /^postgres:/);
  assert.equal(new URL(url).port, PORT);
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
  const failing = { setFaults: [{ status: 503, path: '/api/v1/restaurants', count: 2 }] };
  assert.deepEqual(await (await instruct(failing)).json(), failing);
  const office = await ask({ token: 'office' });
  const read = () => client.send('GET', '/api/v1/restaurants', office);
  const busy = [await read(), await read()];
  assert.deepEqual(busy[1].body, { error: 'a test asked for this error' });
  for (const { status, headers } of busy)
    assert.deepEqual([status, headers.get('X-Error-Code')], [503, 'overloaded']);
  assert.equal((await read()).status, 200);
  for (const [fault, path, ...expected] of [
    [{ status: 400 }, '/api/v1/restaurants', 'invalid_request', null],
    [{ status: 401 }, '/api/v1/restaurants', 'token_invalid', null],
    [{ status: 401 }, '/api/v1/auth/login', 'wrong_credentials', null],
    [{ status: 403 }, '/api/v1/restaurants', 'restaurant_not_granted', null],
    [{ status: 403 }, '/api/v1/auth/login', 'account_disabled', null],
    [{ status: 429 }, '/api/v1/auth/login', 'too_many_failures', '1'],
    [{ status: 503, retry_after: 7 }, '/api/v1/sales/daily', 'overloaded', '7'],
  ]) {
    await instruct({ setFaults: [fault] });
    const { status, headers } = await client.send('POST', path, {});
    const found = [headers.get('X-Error-Code'), headers.get('Retry-After')];
    assert.deepEqual([fault, status, ...found], [fault, fault.status, ...expected]);
  }
  const refused = await instruct({ setFaults: [{ status: 503, retryAfter: 7 }] });
  const { error } = await refused.json();
  assert.equal(refused.status, 400);
  assert.match(error, /^faults\[0]\.retryAfter is not known; there are .*retry_after/);
  assert.equal((await fetch(new URL('/', controlUrl), { method: 'POST' })).status, 404);
  server.stdin.end();
  assert.deepEqual(await once(server, 'exit'), [0, null]);
});
