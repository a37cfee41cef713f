import { measureUploads, ratioOf, takeTurns } from '../measuring.mjs';
import { CASHIERS, PASSWORD } from '../servers/seed.mjs';

const LOGINS = 64;
/** The logins begin before the uploads do and end after them. */
const AROUND_MS = 1200;

/** Uploads while a crowd logs in, beside uploads in calm. */
export const mixed = {
  name: 'mixed',
  title: `Uploads on 32 connections while ${LOGINS} logins are in flight, bcrypt cost 10`,
  async run(stage) {
    const services = await stage.services();
    const contestants = services.flatMap((service) =>
      ['calm', 'logins'].map((during) => ({ name: `${service.name} ${during}`, during, service })),
    );
    const results = await takeTurns(stage, 'mixed', contestants, ({ during, service }) => {
      const upload = () => measureUploads(stage, service, { lanes: 32, pattern: 'overwrite' });
      return during === 'calm' ? upload() : amidLogins(stage, service, upload);
    });
    return contestants.map(({ name, during, service }) => {
      const { rate, p50, p99, logins } = results.get(name);
      const calm = `${service.name} calm`;
      return {
        contestant: service.name,
        while: during,
        rate,
        p50,
        p99,
        'of calm': ratioOf(results, name, calm),
        'p99 of calm': ratioOf(results, name, calm, 'p99'),
        'logins per second': logins,
      };
    });
  },
};

async function amidLogins(stage, { port }, upload) {
  const crowd = await stage.load('crowd');
  const measureMs = stage.options.seconds * 1000 + AROUND_MS;
  const users = { usernames: CASHIERS, password: PASSWORD };
  const job = { source: 'logins', port, ...users, lanes: LOGINS, warmUpMs: 300, measureMs };
  let storm;
  await new Promise((onBegin, failed) => {
    storm = crowd.run(job, { onBegin });
    storm.catch(failed);
  });
  const slot = await upload();
  return { ...slot, logins: (await storm).rate };
}
