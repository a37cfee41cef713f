import { setTimeout as delay } from 'node:timers/promises';
import { loginsTo } from '../load/requests.mjs';
import { measureRequests, measureUploads, ratioOf, takeTurns } from '../measuring.mjs';

const LOGINS = 64;
/** The logins begin before the uploads do and end after them. */
const AROUND_SECONDS = 1;

/** Uploads while a crowd logs in, beside uploads in calm. */
export const mixed = {
  name: 'mixed',
  title: `Uploads on 32 connections while ${LOGINS} logins are in flight, bcrypt cost 10`,
  async run(stage) {
    const contestants = stage.services.flatMap((one) =>
      ['calm', 'logins'].map((during) => ({ name: `${one.name} ${during}`, during, one })),
    );
    const results = await takeTurns(stage, 'mixed', contestants, ({ during, one }) => {
      const upload = () => measureUploads(stage, one, { lanes: 32, pattern: 'overwrite' });
      return during === 'calm' ? upload() : amidLogins(stage, one, upload);
    });
    return contestants.map(({ name, during, one }) => {
      const { rate, p50, p99, logins } = results.get(name);
      const calm = `${one.name} calm`;
      return {
        contestant: one.name,
        while: during,
        'per second': rate,
        'p50 ms': p50,
        'p99 ms': p99,
        'of calm': ratioOf(results, name, calm),
        'p99 of calm': ratioOf(results, name, calm, 'p99'),
        'logins per second': logins,
      };
    });
  },
};

async function amidLogins(stage, { service }, upload) {
  const seconds = stage.options.seconds + 2 * AROUND_SECONDS;
  const [storm, slot] = await Promise.all([
    measureRequests(stage, service, { next: loginsTo(service), lanes: LOGINS, seconds }),
    delay(AROUND_SECONDS * 1000).then(upload),
  ]);
  return { ...slot, logins: storm.rate };
}
