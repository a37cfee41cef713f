import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { logIn } from './load.mjs';
import { ROOT, SECRETS } from './process.mjs';

const CALM_MS = 3000;
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
async function withoutLog({ startService, begin, expect }, stdout) {
  const service = await startService({}, { stdout });
  const load = await begin([service.url]);
  await delay(2 * CALM_MS);
  await load.stop();
  expect(load.other.size === 0, 'uploads were rejected');
  expect((await service.stop()) !== undefined, 'the service had to be killed');
  return load;
}

export const SERVICE_DRILLS = [
  {
    name: 'log-disk-full',
    what: 'the disk of the log is full',
    run: async (scene) => {
      const full = openSync('/dev/full', 'w');
      scene.cleanUp.push(() => closeSync(full));
      return withoutLog(scene, full);
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
