import { hash } from 'bcrypt';
import { figuresOf, measureSlot, ratioOf, takeTurns } from '../measuring.mjs';
import { runSql } from '../postgres.mjs';
import { CASHIERS, PASSWORD } from '../servers/seed.mjs';

const LANES = 16;
const SECONDS = 5;
const COST = 12; // the setting's default
export const ALONE = 'bcrypt alone';

/** Right logins of many users, beside the same number of bcrypt comparisons in a process that does nothing else. */
export const logins = {
  name: 'logins',
  title: `Logins, ${LANES} in flight, bcrypt cost ${COST}`,
  async run(stage) {
    const load = await stage.load();
    const alone = await stage.load(ALONE);
    const slot = { lanes: LANES, measureMs: SECONDS * 1000, password: PASSWORD };
    const contestants = [
      {
        name: ALONE,
        load: alone,
        serverPid: alone.pid,
        job: { ...slot, source: 'bcrypt', cost: COST },
      },
    ];
    for (const version of stage.versions()) {
      const url = await stage.database(version, 'logins');
      await runSql(url, `UPDATE users SET password_hash = '${await hash(PASSWORD, COST)}'`);
      const { port, pid } = await stage.start(version, url, { BCRYPT_COST: String(COST) });
      const job = { ...slot, source: 'logins', port, usernames: CASHIERS };
      contestants.push({ name: version.name, load, serverPid: pid, job });
    }
    const results = await takeTurns(stage, 'logins', contestants, (one) => measureSlot(stage, one));
    return contestants.map(({ name }) => ({
      ...figuresOf(results, name),
      'of bcrypt alone': ratioOf(results, name, ALONE),
    }));
  },
};
