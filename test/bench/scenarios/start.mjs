import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { measureUploads, median } from '../measuring.mjs';
import { atEnd, residentMegabytes } from '../processes.mjs';
import { startService } from '../servers/service.mjs';

const IDLE_MS = 1000;
const LOAD_MS = 5000;

/** From the start of the program to its first response, on a database that is there already; and its resident memory. */
export const start = {
  name: 'start',
  title: 'Start and resident memory of the service',
  async run(stage) {
    const contestants = [];
    for (const version of stage.versions()) {
      const url = await stage.database(version, 'start');
      contestants.push({ ...version, url, embedded: await embeddedDatabase(version) });
    }
    const seen = new Map(contestants.map(({ name }) => [name, []]));
    for (let round = 0; round < stage.options.rounds; round++)
      for (const contestant of contestants) {
        seen.get(contestant.name).push(await measureStarts(stage, contestant));
        stage.tell(`start, round ${round + 1}: ${contestant.name}`);
      }
    const rows = [];
    for (const service of await stage.services()) {
      const medianOf = (figure) => median(seen.get(service.name).map((one) => one[figure]));
      const figures = ['ready ms', 'embedded ready ms', 'idle MB'];
      rows.push({
        contestant: service.name,
        ...Object.fromEntries(figures.map((figure) => [figure, medianOf(figure)])),
        'under uploads MB': await mostUnderLoad(stage, service),
      });
    }
    return rows;
  },
};

async function embeddedDatabase({ folder }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sales-upload-bench-embedded-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const settings = { DATABASE_URL: '', DATA_DIR: dataDir, NODE_ENV: 'development' };
  await (await startService(folder, settings)).stop(); // the first start makes the cluster
  return settings;
}

async function measureStarts(stage, { folder, url, embedded }) {
  const service = await stage.start({ folder }, url);
  await delay(IDLE_MS);
  const idle = residentMegabytes(service.pid);
  await service.stop();
  const other = await startService(folder, embedded);
  await other.stop();
  return { 'ready ms': service.readyMs, 'embedded ready ms': other.readyMs, 'idle MB': idle };
}

async function mostUnderLoad(stage, service) {
  let most = 0;
  const sampling = setInterval(() => (most = Math.max(most, residentMegabytes(service.pid))), 100);
  const what = { lanes: 64, pattern: 'fresh', measureMs: LOAD_MS };
  await measureUploads(stage, service, what).finally(() => clearInterval(sampling));
  return most;
}
