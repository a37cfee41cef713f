import { hash } from 'bcrypt';
import { CASHIERS, PASSWORD } from '../contestants/seed.mjs';
import { Load } from '../load/load.mjs';
import { runSql } from '../machine/postgres.mjs';
import { measureSlot, ratioOf, takeTurns } from '../measuring.mjs';

const LANES = 16;
const SECONDS = 5;
const COST = 12; // the setting's default

/** Right logins of many users, beside the same number of bcrypt comparisons in a process that does nothing else. */
export const logins = {
  name: 'logins',
  title: `Logins, ${LANES} in flight, bcrypt cost ${COST}`,
  async run(stage) {
    const url = await stage.seededDatabase('bench_logins');
    await runSql(url, `UPDATE users SET password_hash = '${await hash(PASSWORD, COST)}'`);
    const { port, pid, stop } = await stage.startService(url, { BCRYPT_COST: String(COST) });
    const load = await stage.load();
    const alone = new Load();
    const slot = { lanes: LANES, measureMs: SECONDS * 1000, password: PASSWORD };
    const contestants = [
      { name: 'bcrypt alone', load: alone, serverPid: alone.pid, job: { ...slot, source: 'bcrypt', cost: COST } },
      { name: 'service', load, serverPid: pid, job: { ...slot, source: 'logins', port, usernames: CASHIERS } },
    ];
    const results = await takeTurns(stage, 'logins', contestants, (one) => measureSlot(stage, one));
    await stop();
    return contestants.map(({ name }) => {
      const { rate, p50, p99, serverCpu, postgresCpu } = results.get(name);
      return {
        contestant: name,
        rate,
        'of bcrypt alone': ratioOf(results, name, 'bcrypt alone'),
        p50,
        p99,
        serverCpu,
        postgresCpu,
      };
    });
  },
};
