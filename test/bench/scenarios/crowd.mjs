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
    ];
    const restaurants = { first: FIRST, count: ACTIVE };
    const results = await takeTurns(stage, 'crowd', contestants, ({ tokens, ...one }) =>
      measureUploads(stage, one, { lanes: 32, pattern: 'fresh', restaurants, tokens }),
    );
    return contestants.map(({ name }) => {
      const { ratio, ...figures } = figuresOf(results, name, ALONE);
      return { uploads: name, 'of few': ratio, ...figures };
    });
  },
};

/** A service whose database holds so many users and restaurants, and so many tokens besides the users' own. */
async function inhabited(stage, name, { count, tokens: further }) {
  let tokens = [];
  const service = await stage.another(name, async (url) => {
    tokens = await fillAccounts(url, stage.secret, { first: FIRST, count, tokens: further });
  });
  return { ...service, tokens: tokens.slice(0, ACTIVE) };
}
