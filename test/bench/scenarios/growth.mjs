import { daysOf, fillSales } from '../contestants/fill.mjs';
import { runSql } from '../machine/postgres.mjs';
import { figuresOf, takeTurns } from '../measuring.mjs';
import { measureUploads } from './uploading.mjs';

/**
 * Uploads into tables that hold much already, beside those into empty ones; and into empty ones of which PostgreSQL has
 * statistics, for which it plans to read them whole, unless that is ruled out: such a plan gets dearer with every upload.
 */
export const growth = {
  name: 'growth',
  title: 'Uploads into filled tables, 32 connections',
  async run(stage) {
    const { rows } = stage.options;
    const oldDays = daysOf(rows);
    const empty = { name: 'empty', ...(await stage.empty()) };
    const analyzed = { name: 'empty, analyzed', ...(await stage.another('bench_analyzed', analyze)) };
    const full = { name: `${rows} rows`, ...(await filled(stage, oldDays)) };
    return [
      ...(await compare(stage, 'fresh', [empty, analyzed, full])),
      // In the empty tables there are no old days to correct, so that is compared with correcting recent ones.
      ...(await compare(stage, 'scattered', [{ ...empty, instead: 'overwrite' }, full], oldDays)),
    ];
  },
};

async function compare(stage, pattern, contestants, oldDays) {
  const results = await takeTurns(stage, `growth, ${pattern}`, contestants, ({ instead, ...one }) =>
    measureUploads(stage, one, { lanes: 32, pattern: instead ?? pattern, oldDays }),
  );
  return contestants.map(({ name }) => {
    const { ratio, ...figures } = figuresOf(results, name, 'empty');
    return { pattern, tables: name, 'of empty': ratio, ...figures };
  });
}

function analyze(url) {
  return runSql(url, 'VACUUM ANALYZE');
}

async function filled(stage, oldDays) {
  return stage.another('bench_growth', async (url) => {
    const begin = Date.now();
    await fillSales(url, oldDays);
    stage.tell(`growth: filled in ${oldDays} days of each restaurant in ${Math.round((Date.now() - begin) / 1000)} s`);
  });
}
