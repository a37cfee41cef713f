import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { logIn } from './load.mjs';
import { ROOT, SECRETS } from './programs.mjs';
import { CALM_MS } from './scene.mjs';

const ROLLING = { SHUTDOWN_DELAY_MS: '500' };

/** Restarts the instances one after the other. */
async function roll(services, settings, root) {
  for (const service of services) {
    await service.stop();
    await service.start(settings, root);
    await delay(1000);
  }
}

/** Uploads while nothing of the log can be written; the service must answer all, and end by itself. */
async function withoutLog(scene, stdout) {
  const service = await scene.startService({}, { stdout });
  await scene.begin([service.url]);
  await delay(2 * CALM_MS);
  await scene.load.stop();
  assert.equal(scene.load.other.size, 0, 'uploads were rejected');
  assert.ok(await service.stop(), 'the service had to be killed');
}

export const SERVICE_DRILLS = [
  {
    name: 'log-disk-full',
    what: 'the disk of the log is full',
    run: async (scene) => {
      const full = openSync('/dev/full', 'w');
      scene.cleanUp.push(() => closeSync(full));
      await withoutLog(scene, full);
    },
  },
  {
    name: 'log-stalled',
    what: 'nobody reads the log any more',
    run: (scene) => withoutLog(scene, 'pipe'),
  },
  {
    name: 'rolling-upgrade',
    what: 'from the previous release to this one and back, instance by instance',
    needs: ['previous'],
    run: async (scene) => {
      const { previous } = scene;
      const start = () => scene.startService(ROLLING, { root: previous });
      const services = [await start(), await start()];
      await scene.begin(services.map(({ url }) => url));
      await delay(CALM_MS);
      await scene.postgres.migrate();
      for (const root of [ROOT, previous]) {
        await roll(services, {}, root);
        await delay(CALM_MS);
      }
      assert.equal(scene.load.other.size, 0, 'uploads were rejected');
    },
  },
  {
    name: 'key-rotation',
    what: 'the signing secret is replaced as the guide says, with tokens of every stage',
    run: async (scene) => {
      const services = [await scene.startService(ROLLING), await scene.startService(ROLLING)];
      const urls = services.map(({ url }) => url);
      const tokens = [await logIn(urls[0])];
      await scene.begin(urls, tokens);
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
      assert.ok(!scene.load.other.has(401), 'a token was rejected');
    },
  },
];
