import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilServed } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { endLeftovers, ServiceProcess } from '../support/service-process.js';

let dataDir: string;
beforeAll(() => (dataDir = mkdtempSync(join(tmpdir(), 'weak-defaults-'))));
afterAll(() => {
  endLeftovers();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = (settings: Record<string, string>) =>
  ServiceProcess.start({ DATA_DIR: dataDir, BCRYPT_COST: '10', LOG_LEVEL: 'warn', ...settings });

async function loginStatus({ client }: ServiceProcess): Promise<number> {
  return (await untilServed(() => client.login('demo', 'demo-password'))).status;
}

describe('The demo user', () => {
  test('exists on loopback with the embedded database only, where empty hosts mean 127.0.0.1 alone, and not with DEMO_DATA=false', async () => {
    const unwanted = await start({ DEMO_DATA: 'false' });
    expect(unwanted.stdout).not.toContain('demo');
    expect(await loginStatus(unwanted)).toBe(401);
    await unwanted.stop();

    const exposed = await start({ HOST: '0.0.0.0' });
    expect(exposed.stdout).not.toContain('demo');
    expect(await loginStatus(exposed)).toBe(401);
    await exposed.stop();

    const metricsPort = await freePort();
    const local = await start({ HOST: '', METRICS_HOST: '', METRICS_PORT: String(metricsPort) });
    expect(local.stdout).toContain('"username":"demo"');
    expect(await loginStatus(local)).toBe(200);
    for (const port of [Number(new URL(local.url).port), metricsPort]) {
      expect([await connects('127.0.0.1', port), await connects('127.0.0.2', port)]).toEqual([true, false]);
    }
    await local.stop();

    const exposedLater = await start({ HOST: '0.0.0.0', WORKERS: '2' });
    expect(exposedLater.stdout).toMatch(/disabled user \\?"demo/);
    expect(await loginStatus(exposedLater)).toBe(403);
    await exposedLater.stop();
  });
});

/** 127.0.0.2 leads to a server on every interface, but not to one on 127.0.0.1. */
function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(true)).on('error', () => resolve(false));
    socket.unref().on('connect', () => socket.destroy());
  });
}
