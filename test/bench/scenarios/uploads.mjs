import { figuresOf, ratioOf, takeTurns } from '../measuring.mjs';
import { measureUploads, uploaders } from './uploading.mjs';

/** Uploads of new days, and of the same days with other values, at each number of connections. */
export const uploads = {
  name: 'uploads',
  title: 'Uploads of 24 records',
  async run(stage) {
    const all = await uploaders(stage, ['reference', 'service', 'ceiling']);
    const rows = [];
    for (const pattern of ['overwrite', 'fresh'])
      for (const lanes of stage.options.connections)
        rows.push(...(await compare(stage, lanes === 32 ? all : all.slice(0, 2), { pattern, lanes })));
    return rows;
  },
};

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
