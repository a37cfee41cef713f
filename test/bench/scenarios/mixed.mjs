import { CASHIERS, PASSWORD } from '../contestants/seed.mjs';
import { figuresOf, ratioOf, takeTurns } from '../measuring.mjs';
import { measureUploads } from './uploading.mjs';

const LOGINS = 64;
/** The logins begin before the uploads do and end after them. */
const AROUND_MS = 1200;

/** Uploads while a crowd logs in, beside uploads in calm. */
export const mixed = {
  name: 'mixed',
  title: `Uploads on 32 connections while ${LOGINS} logins are in flight (bcrypt cost 10)`,
  async run(stage) {
    const service = { name: 'service', ...(await stage.service()) };
    const contestants = [{ name: 'calm' }, { name: 'logins' }];
    const upload = () => measureUploads(stage, service, { lanes: 32, pattern: 'overwrite' });
    const results = await takeTurns(stage, 'mixed', contestants, async ({ name }) =>
      name === 'calm' ? { ...(await upload()), logins: 0 } : amidLogins(stage, service, upload),
    );
    return contestants.map(({ name }) => {
      const { rate, p50, p99 } = figuresOf(results, name, 'calm');
      const compared = {
        'of calm': ratioOf(results, name, 'calm'),
        'p99 of calm': ratioOf(results, name, 'calm', 'p99'),
      };
      return { 'uploads in': name, rate, p50, p99, ...compared, 'logins per second': results.get(name).logins };
    });
  },
};

async function amidLogins(stage, { port }, upload) {
  const crowd = await stage.load('crowd');
  const measureMs = stage.options.seconds * 1000 + AROUND_MS;
  const job = {
    source: 'logins',
    port,
    usernames: CASHIERS,
    password: PASSWORD,
    lanes: LOGINS,
    warmUpMs: 300,
    measureMs,
  };
  let storm;
  await new Promise((onBegin, failed) => {
    storm = crowd.run(job, { onBegin });
    storm.catch(failed);
  });
  const slot = await upload();
  return { ...slot, logins: (await storm).rate };
}
