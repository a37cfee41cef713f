import { daysOf, fillSales } from '../contestants/fill.mjs';
import { figuresOf, takeTurns } from '../measuring.mjs';
import { measureUploads } from './uploading.mjs';

/** Uploads into tables that hold much already, beside those into empty ones. */
export const growth = {
  name: 'growth',
  title: 'Uploads into filled tables, 32 connections',
  async run(stage) {
    const { rows } = stage.options;
    const oldDays = daysOf(rows);
    const contestants = [
      { name: 'empty', ...(await stage.empty()) },
      { name: `${rows} rows`, ...(await filled(stage, oldDays)) },
    ];
    const table = [];
    for (const pattern of ['fresh', 'scattered']) {
      // In the empty tables there are no old days to correct, so that is compared with correcting recent ones.
      const patternOf = ({ name }) => (name === 'empty' && pattern === 'scattered' ? 'overwrite' : pattern);
      const results = await takeTurns(stage, `growth, ${pattern}`, contestants, (one) =>
        measureUploads(stage, one, { lanes: 32, pattern: patternOf(one), oldDays }),
      );
      for (const { name } of contestants) {
        const { ratio, ...figures } = figuresOf(results, name, 'empty');
        table.push({ pattern, tables: name, 'of empty': ratio, ...figures });
      }
    }
    return table;
  },
};

async function filled(stage, oldDays) {
  return stage.another('bench_growth', async (url) => {
    const begin = Date.now();
    await fillSales(url, oldDays);
    stage.tell(`growth: filled in ${oldDays} days of each restaurant in ${Math.round((Date.now() - begin) / 1000)} s`);
  });
}
