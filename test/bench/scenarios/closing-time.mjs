import { query } from '../../drills/postgres.mjs';
import { serveTills } from '../load/tills.mjs';
import { measureBcrypt } from './logins.mjs';

const DATE = '2025-10-15';
const COST = 10;
const WARM_UP_TILLS = 150;
const SETTINGS = { HASH_QUEUE_MAX: '20' }; // as long as 5 hashes of cost 12, the defaults

/** Tills that all connect, log in, upload their day and disconnect at once; those that are turned away follow Retry-After. */
export const closingTime = {
  name: 'closing-time',
  title: `Closing time, bcrypt cost ${COST}`,
  async run(stage) {
    const rows = [];
    for (const count of stage.options.tills)
      for (const version of stage.versions) rows.push(await close(stage, version, count));
    return rows;
  },
};

async function close(stage, version, count) {
  process.stderr.write(`closing time, ${count} tills: ${version.name}\n`);
  const url = await stage.database(version, `closing_${count}`, { restaurants: count });
  const service = await stage.start(version, url, SETTINGS);
  const bcryptBefore = await measureBcrypt(stage, COST, 3);
  // It is not just started: it has served some of the tills the day before.
  await serveTills(service.port, Math.min(count, WARM_UP_TILLS), '2025-10-14');
  const { seconds, ...seen } = await serveTills(service.port, count, DATE);
  const bcryptAfter = await measureBcrypt(stage, COST, 3);
  await service.stop();
  return {
    contestant: version.name,
    tills: count,
    'all served s': seconds,
    'of bcrypt alone': count / seconds / ((bcryptBefore.rate + bcryptAfter.rate) / 2),
    'p99 of uploads ms': seen.uploadP99,
    'longest wait s': seen.mostMs / 1000,
    'turned away': seen.turnedAway,
    'without a response': seen.cutOff,
    lost: count - (await countSaved(url)),
  };
}

/** Days of which all 24 hours are saved. */
async function countSaved(url) {
  const saved = await query(
    url,
    `SELECT FROM hourly_sales WHERE date = '${DATE}' GROUP BY restaurant_id HAVING count(*) = 24`,
  );
  return saved.length;
}
