import { fillAccounts } from '../contestants/fill.mjs';
import { figuresOf, takeTurns } from '../measuring.mjs';
import { measureUploads } from './uploading.mjs';

const ACTIVE = 500;
const COUNT = 10_000;
const TOKENS = 1_000_000;
const FIRST = 20_001;
const ALONE = `${ACTIVE} users, restaurants and tokens`;

/** Uploads of some users, each for a restaurant of its own, among very many users, restaurants and tokens or by themselves. */
export const crowd = {
  name: 'crowd',
  title: 'Uploads among many accounts, fresh, 32 connections',
  async run(stage) {
    const few = await inhabited(stage, 'bench_few', { count: ACTIVE, tokens: 0 });
    const many = await inhabited(stage, 'bench_crowd', { count: COUNT, tokens: TOKENS });
    const contestants = [
      { name: ALONE, ...few },
      { name: `the same among ${COUNT} users and restaurants, ${TOKENS} tokens`, ...many },
      { name: 'all of these users, each token for the first time', ...many, active: COUNT },
    ];
    const results = await takeTurns(stage, 'crowd', contestants, ({ active = ACTIVE, allTokens, ...one }) => {
      const what = { restaurants: { first: FIRST, count: active }, tokens: allTokens.slice(0, active) };
      return measureUploads(stage, one, { lanes: 32, pattern: 'fresh', ...what });
    });
    return contestants.map(({ name }) => {
      const { ratio, ...figures } = figuresOf(results, name, ALONE);
      return { uploads: name, 'of few': ratio, ...figures };
    });
  },
};

/** A service whose database holds so many users and restaurants, and so many tokens besides the users' own. */
async function inhabited(stage, name, { count, tokens }) {
  let allTokens;
  const service = await stage.another(name, async (url) => {
    allTokens = await fillAccounts(url, stage.secret, { first: FIRST, count, tokens });
  });
  return { ...service, allTokens };
}
