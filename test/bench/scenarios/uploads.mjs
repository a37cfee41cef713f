import { figuresOf, measureUploads, ratioOf, takeTurns } from '../measuring.mjs';

/** Uploads of new days, and of the same days with other values, at each number of connections. */
export const uploads = {
  name: 'uploads',
  title: 'Uploads of 24 records',
  async run(stage) {
    const { contestants } = stage;
    const rows = [];
    for (const pattern of ['overwrite', 'fresh'])
      for (const lanes of [8, 32, 64]) {
        const title = `uploads, ${pattern}, ${lanes} connections`;
        const results = await takeTurns(stage, title, contestants, (one) =>
          measureUploads(stage, one, { lanes, pattern }),
        );
        for (const { name } of contestants)
          rows.push({
            pattern,
            connections: lanes,
            ...figuresOf(results, name),
            'p99 of the reference': ratioOf(results, name, 'reference', 'p99'),
          });
      }
    return rows;
  },
};
