import { figuresOf, ratioOf, takeTurns } from '../measuring.mjs';
import { measureUploads, uploaders } from './uploading.mjs';

const WARM_UP_MS = 4000;

/** Uploads of new days, and of the same days with other values, at each number of connections. */
export const uploads = {
  name: 'uploads',
  title: 'Uploads of 24 records',
  async run(stage) {
    const [reference, service, ceiling] = await uploaders(stage, ['reference', 'service', 'ceiling']);
    await warmUp(stage, service);
    const rows = [];
    for (const pattern of ['overwrite', 'fresh'])
      for (const lanes of stage.options.connections) {
        const contestants = lanes === 32 ? [reference, service, ceiling] : [reference, service];
        rows.push(...(await compare(stage, contestants, { pattern, lanes })));
      }
    return rows;
  },
};

/** V8 takes some ten thousand requests to compile all of the service's code: an upload cost it 0.37 ms first and 0.25 then. */
function warmUp(stage, service) {
  stage.tell('uploads: warming up');
  return measureUploads(stage, service, { lanes: 32, pattern: 'overwrite', measureMs: WARM_UP_MS });
}

async function compare(stage, contestants, { pattern, lanes }) {
  const title = `uploads, ${pattern}, ${lanes} connections`;
  const results = await takeTurns(stage, title, contestants, (one) => measureUploads(stage, one, { lanes, pattern }));
  return contestants.map(({ name }) => ({
    pattern,
    connections: lanes,
    contestant: name,
    ...figuresOf(results, name, 'reference'),
    p99Ratio: ratioOf(results, name, 'reference', 'p99'),
    loadCpuShare: results.get(name).loadCpuShare,
  }));
}
