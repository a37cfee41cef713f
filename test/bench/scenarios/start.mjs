import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { measureUploads, takeTurns } from '../measuring.mjs';
import { residentMegabytes } from '../usage.mjs';

const IDLE_MS = 1000;
const LOAD_SECONDS = 5;

/** From the start of the program until it is ready, on a database that is there already; and its resident memory. */
export const start = {
  name: 'start',
  title: 'Start and resident memory of the service',
  async run(stage) {
    const contestants = [];
    for (const version of stage.versions) {
      const url = await stage.database(version, 'start');
      const DATA_DIR = mkdtempSync(join(stage.folder, 'embedded-'));
      const embedded = { DATA_DIR, NODE_ENV: 'development' };
      await (await stage.start(version, '', embedded)).stop(); // the first start makes the cluster
      contestants.push({ ...version, url, embedded });
    }
    const results = await takeTurns(stage, 'start', contestants, (one) => measure(stage, one));
    const rows = [];
    for (const one of stage.services) {
      const { readyMs, embeddedMs, idle } = results.get(one.name);
      rows.push({
        contestant: one.name,
        'ready ms': readyMs,
        'embedded ready ms': embeddedMs,
        'idle MB': idle,
        'under uploads MB': await mostUnderLoad(stage, one),
      });
    }
    return rows;
  },
};

async function measure(stage, { url, embedded, ...version }) {
  const service = await stage.start(version, url);
  await delay(IDLE_MS);
  const idle = residentMegabytes(service.pid);
  await service.stop();
  const other = await stage.start(version, '', embedded);
  await other.stop();
  return { readyMs: service.readyMs, embeddedMs: other.readyMs, idle };
}

async function mostUnderLoad(stage, one) {
  let most = 0;
  const sample = () => (most = Math.max(most, residentMegabytes(one.service.pid)));
  const sampling = setInterval(sample, 100);
  const slot = { lanes: 64, pattern: 'fresh', seconds: LOAD_SECONDS };
  await measureUploads(stage, one, slot).finally(() => clearInterval(sampling));
  return most;
}
