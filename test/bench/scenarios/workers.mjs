import { fileURLToPath } from 'node:url';
import { PASSWORD, UPLOADER } from '../contestants/seed.mjs';
import { logIn } from '../contestants/service.mjs';
import { keepToCores } from '../machine/cores.mjs';
import { figuresOf, takeTurns } from '../measuring.mjs';
import { measureUploads } from './uploading.mjs';

const STUB = fileURLToPath(new URL('../stub-write.mjs', import.meta.url));

/**
 * Whether a second worker brings a second core's worth, with the write stubbed out. Everything that runs, the load
 * generator and PostgreSQL included, is kept to as many cores as there are workers: on a machine of two cores these
 * would otherwise take from the two workers what the one worker had for itself.
 */
export const workers = {
  name: 'workers',
  title: 'Workers with the write stubbed out, as many cores as workers, 32 connections a worker',
  async run(stage) {
    const url = await stage.seededDatabase('bench_workers');
    const contestants = [];
    for (const count of [1, 2]) {
      const service = await stage.startService(url, { WORKERS: String(count) }, ['--import', STUB]);
      const token = await logIn(service, UPLOADER, PASSWORD);
      contestants.push({ name: `WORKERS=${count}`, ...service, token, count });
    }
    const results = await takeTurns(stage, 'workers', contestants, (one) => measurePinned(stage, one));
    for (const { stop } of contestants) await stop();
    return contestants.map(({ name }) => {
      const { ratio, ...figures } = figuresOf(results, name, 'WORKERS=1');
      return { service: name, 'of one worker': ratio, ...figures };
    });
  },
};

async function measurePinned(stage, contestant) {
  const pids = [contestant.pid, (await stage.postgres()).pid, (await stage.load()).pid];
  if (!keepToCores(pids, contestant.count))
    stage.tell('workers: cannot be kept to cores here, so all run on all of them');
  try {
    return await measureUploads(stage, contestant, { lanes: 32 * contestant.count, pattern: 'overwrite' });
  } finally {
    keepToCores(pids);
  }
}
