import { fillAccounts } from '../contestants/fill.mjs';
import { RESTAURANTS } from '../contestants/seed.mjs';
import { figuresOf, takeTurns } from '../measuring.mjs';
import { measureUploads } from './uploading.mjs';

const COUNT = 10_000;
const TOKENS = 1_000_000;

/** Uploads by many users for many restaurants, among many tokens, beside those of one user for a few. */
export const crowd = {
  name: 'crowd',
  title: 'Uploads among many users, restaurants and tokens, fresh, 32 connections',
  async run(stage) {
    const restaurants = { first: 20_001, count: COUNT };
    let tokens;
    const many = await stage.another('bench_crowd', async (url) => {
      tokens = await fillAccounts(url, stage.secret, { ...restaurants, tokens: TOKENS });
    });
    const few = `1 user, ${RESTAURANTS.count} restaurants`;
    const contestants = [
      { name: few, ...(await stage.empty()), what: {} },
      { name: `${COUNT} users and restaurants, ${TOKENS} tokens`, ...many, what: { restaurants, tokens } },
    ];
    const results = await takeTurns(stage, 'crowd', contestants, ({ what, ...one }) =>
      measureUploads(stage, one, { lanes: 32, pattern: 'fresh', ...what }),
    );
    return contestants.map(({ name }) => {
      const { ratio, ...figures } = figuresOf(results, name, few);
      return { database: name, 'of few': ratio, ...figures };
    });
  },
};
