import { runSql } from '../postgres.mjs';
import { PASSWORD, seedTills } from '../servers/seed.mjs';
import { ALONE } from './logins.mjs';

const DATE = '2025-10-15';
const COST = 10;
const LANES = 16;
const WARM_UP_TILLS = 150;

/** Tills that all connect, log in, upload their day and disconnect at once; those that are turned away follow Retry-After. */
export const closingTime = {
  name: 'closing-time',
  title: `Closing time, bcrypt cost ${COST}`,
  async run(stage) {
    const rows = [];
    for (const count of stage.options.tills)
      for (const version of stage.versions()) rows.push(await close(stage, version, count));
    return rows;
  },
};

async function close(stage, version, count) {
  const url = await stage.database(version, `closing_${count}`);
  const usernames = Array.from({ length: count }, (_, index) => `till-${index}`);
  const tills = await seedTills(url, usernames);
  const service = await stage.start(version, url);
  const load = await stage.load();
  const bcryptBefore = await rateOfBcrypt(stage);
  const job = { source: 'tills', port: service.port, tills, password: PASSWORD, date: DATE };
  // It is not just started: it has served some of the tills the day before.
  await load.run({ ...job, tills: tills.slice(0, WARM_UP_TILLS), date: '2025-10-14' });
  const { seconds, turnedAway, cutOff, mostMs, uploadP99 } = await load.run(job);
  const bcrypt = (bcryptBefore + (await rateOfBcrypt(stage))) / 2;
  await service.stop();
  stage.tell(`closing time: ${version.name}, ${count} tills in ${seconds.toFixed(1)} s`);
  return {
    contestant: version.name,
    tills: count,
    'all served s': seconds,
    'of bcrypt alone': count / seconds / bcrypt,
    'p99 of uploads ms': uploadP99,
    'longest wait s': mostMs / 1000,
    'turned away': turnedAway,
    'without a response': cutOff,
    lost: count - (await savedDays(url)),
  };
}

async function rateOfBcrypt(stage) {
  const alone = await stage.load(ALONE);
  const job = { source: 'bcrypt', password: PASSWORD, cost: COST, lanes: LANES };
  return (await alone.run({ ...job, warmUpMs: 300, measureMs: 3000 })).rate;
}

/** Days of which all 24 hours are saved. */
async function savedDays(url) {
  const [{ days }] = await runSql(
    url,
    `SELECT count(*)::integer AS days FROM (
       SELECT restaurant_id FROM hourly_sales WHERE date = '${DATE}'
       GROUP BY restaurant_id HAVING count(*) = 24
     ) AS whole`,
  );
  return days;
}
