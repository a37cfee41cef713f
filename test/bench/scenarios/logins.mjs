import { compare, hash } from 'bcrypt';
import { PASSWORD } from '../../drills/load.mjs';
import { loginsTo } from '../load/requests.mjs';
import { figuresOf, measureRequests, measureSlot, ratioOf, takeTurns } from '../measuring.mjs';

const LANES = 16;
const COST = 12; // the setting's default
const ALONE = 'bcrypt alone';

/** Right logins of many users, beside the same number of bcrypt comparisons in a process that does nothing else. */
export const logins = {
  name: 'logins',
  title: `Logins, ${LANES} in flight, bcrypt cost ${COST}`,
  async run(stage) {
    const contestants = [{ name: ALONE }];
    for (const version of stage.versions) {
      const url = await stage.database(version, 'logins', { cost: COST });
      const service = await stage.start(version, url, { BCRYPT_COST: String(COST) });
      contestants.push({ name: version.name, service, next: loginsTo(service) });
    }
    const slot = { lanes: LANES, seconds: 5 };
    const results = await takeTurns(stage, 'logins', contestants, ({ service, next }) =>
      service
        ? measureRequests(stage, service, { ...slot, next })
        : measureBcrypt(stage, COST, slot.seconds),
    );
    return contestants.map(({ name }) => ({
      ...figuresOf(results, name),
      [`of ${ALONE}`]: ratioOf(results, name, ALONE),
    }));
  },
};

/** Comparisons in this process. */
export async function measureBcrypt(stage, cost, seconds) {
  const digest = await hash(PASSWORD, cost);
  const once = async () => ((await compare(PASSWORD, digest)) ? 200 : 401);
  return measureSlot(stage, { once, lanes: LANES, pid: process.pid, seconds });
}
