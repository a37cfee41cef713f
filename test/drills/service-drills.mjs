import { spawnSync } from 'node:child_process';
import { openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fillDisk } from './fill-disk.mjs';
import { logIn, post } from './load.mjs';
import { ROOT, SECRETS, until } from './process.mjs';

const CALM_MS = 3000;
const MAX_END_MS = 15_000;
const ROLLING = { SHUTDOWN_DELAY_MS: '500' };

/** Uploads are served without an error while `fault` lasts, and the service ends when it is told to. */
async function servingOn({ begin, expect }, service, fault) {
  const load = await begin([service.url]);
  await delay(CALM_MS);
  await fault();
  const before = load.acknowledged.size;
  await until(() => load.acknowledged.size > before + 100, 'uploads to be served');
  await load.stop();
  expect(load.other.size === 0 && load.none === 0, 'uploads were not served all the time');
  const ms = await service.stop();
  expect(ms !== undefined && ms < MAX_END_MS, 'SIGTERM did not end the service');
  return load;
}

/** Restarts the instances one after the other. */
async function roll(services, settings, root) {
  for (const service of services) {
    await service.stop();
    await service.start(settings, root);
    await delay(1000);
  }
}

export const SERVICE_DRILLS = [
  {
    name: 'log-disk-full',
    what: 'no space for the log; SIGTERM meanwhile',
    needs: ['small disk'],
    run: async (scene) => {
      const disk = scene.mount('logs', '2m');
      const service = await scene.startService({}, { stdout: openSync(join(disk, 'log'), 'a') });
      return servingOn(scene, service, async () => {
        fillDisk(disk);
        await delay(CALM_MS);
      });
    },
  },
  {
    name: 'log-stalled',
    what: 'nobody reads the log; SIGTERM meanwhile',
    run: async (scene) => {
      const fifo = join(scene.folder, 'log');
      spawnSync('mkfifo', [fifo]);
      const service = await scene.startService({}, { stdout: openSync(fifo, 'r+') });
      return servingOn(scene, service, () => delay(2 * CALM_MS));
    },
  },
  {
    name: 'rolling-upgrade',
    what: 'from the previous release to this one and back, instance by instance',
    needs: ['previous'],
    run: async ({ startService, begin, expect, postgres, previous }) => {
      const options = { root: previous };
      const services = [await startService(ROLLING, options), await startService(ROLLING, options)];
      const load = await begin(services.map(({ url }) => url));
      await delay(CALM_MS);
      await postgres.migrate();
      await roll(services, {}, ROOT);
      await delay(CALM_MS);
      await roll(services, {}, previous);
      await delay(CALM_MS);
      expect(load.other.size === 0, 'uploads were rejected');
      return load;
    },
  },
  {
    name: 'key-rotation',
    what: 'the signing secret is replaced as the guide says, with tokens of every stage',
    run: async ({ startService, begin, expect }) => {
      const services = [await startService(ROLLING), await startService(ROLLING)];
      const urls = services.map(({ url }) => url);
      const tokens = [await logIn(urls[0])];
      const load = await begin(urls, tokens);
      const [first, second] = SECRETS;
      const steps = [
        { JWT_SECRET: first, JWT_PREVIOUS_SECRET: second },
        { JWT_SECRET: second, JWT_PREVIOUS_SECRET: first },
      ];
      for (const step of steps) {
        await roll(services, step);
        tokens.push(await logIn(urls[0]));
      }
      await delay(CALM_MS);
      expect(!load.other.has(401), 'a token was rejected');
      return load;
    },
  },
];
