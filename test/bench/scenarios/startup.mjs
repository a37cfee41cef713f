import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../contestants/service.mjs';
import { residentMemory } from '../machine/accounts.mjs';
import { atEnd } from '../machine/clean-up.mjs';
import { median } from '../measuring.mjs';
import { measureUploads } from './uploading.mjs';

const IDLE_MS = 1000;
const LOAD_SECONDS = 5;

/** From the start of the program to its first answer, on a database that is there already; and its resident memory. */
export const startup = {
  name: 'startup',
  title: 'Start-up and memory of the service',
  async run(stage) {
    const url = await stage.seededDatabase('bench_startup');
    const [started, idle] = await starts(stage, 'DATABASE_URL', () => stage.startService(url), IDLE_MS);
    const dataDir = await mkdtemp(join(tmpdir(), 'sales-upload-bench-embedded-'));
    atEnd(() => rm(dataDir, { recursive: true, force: true }));
    const embedded = () => startService({ DATABASE_URL: '', DATA_DIR: dataDir, NODE_ENV: 'development' });
    await (await embedded()).stop(); // the first start makes the cluster
    const [startedEmbedded] = await starts(stage, 'embedded', embedded);
    return [
      { figure: 'ready with DATABASE_URL, ms', median: started },
      { figure: 'ready with the embedded PostgreSQL, ms', median: startedEmbedded },
      { figure: 'resident memory idle, MB', median: idle },
      { figure: 'resident memory under uploads, MB', median: await mostUnderLoad(stage) },
    ];
  },
};

/** Medians of the milliseconds until ready and of the megabytes after `idleMs`. */
async function starts(stage, title, start, idleMs = 0) {
  const seen = [];
  for (let round = 1; round <= stage.options.rounds; round++) {
    const service = await start();
    await delay(idleMs);
    seen.push([service.readyMs, residentMemory(service.pid) / 1e6]);
    await service.stop();
    stage.tell(`start-up, ${title}, round ${round}: ${Math.round(service.readyMs)} ms`);
  }
  return [median(seen.map(([ms]) => ms)), median(seen.map(([, megabytes]) => megabytes))];
}

async function mostUnderLoad(stage) {
  const service = await stage.service();
  let most = 0;
  const sampling = setInterval(() => (most = Math.max(most, residentMemory(service.pid))), 100);
  const what = { lanes: 64, pattern: 'fresh', measureMs: LOAD_SECONDS * 1000 };
  await measureUploads(stage, { name: 'service', ...service }, what).finally(() => clearInterval(sampling));
  return most / 1e6;
}
