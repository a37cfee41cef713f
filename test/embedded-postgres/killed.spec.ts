import { readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  connect,
  EmbeddedPlayground,
  kill,
  parentOf,
  query,
  retry,
  runs,
  serverOf,
} from '../support/embedded-playground.js';

let playground: EmbeddedPlayground;
let dataDir: string;

beforeAll(async () => {
  playground = await EmbeddedPlayground.make();
  dataDir = join(playground.root, 'data');
  await playground.start(dataDir);
  await playground.stopAll();
});

afterEach(() => playground.stopAll());

afterAll(() => playground.remove());

describe('After kill -9', () => {
  test.each(['the service', 'the server', 'the guard'])(
    'of the service and %s, the next start has the data',
    async (also) => {
      const { child, ready } = playground.spawnService(dataDir);
      await query(await ready, 'CREATE TABLE IF NOT EXISTS committed (value text)');
      await query(await ready, `INSERT INTO committed VALUES ('${also}')`);
      const server = await serverOf(dataDir);
      const guard = await parentOf(server);
      if (also === 'the guard') process.kill(guard, 'SIGKILL');
      if (also === 'the server') process.kill(server, 'SIGKILL'); // first: the guard would end it
      await kill(child);
      const { url } = await playground.start(dataDir);
      expect(await query(url, `SELECT value FROM committed WHERE value = '${also}'`)).toHaveLength(1);
      expect(await runs(server)).toBe(false);
    },
  );

  test.each(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
    'or %s of the service, PostgreSQL ends',
    async (signal) => {
      const { child, ready } = playground.spawnService(dataDir);
      const session = await connect(await ready); // one that goes on does not hold it up
      const server = await serverOf(dataDir);
      const guard = await parentOf(server);
      child.kill(signal);
      await retry(async () => expect([await runs(server), await runs(guard)]).toEqual([false, false]));
      await session.end().catch(() => undefined);
    },
  );

  test('of its guard, PostgreSQL comes back under another', async () => {
    const { url } = await playground.start(dataDir);
    const server = await serverOf(dataDir);
    process.kill(await parentOf(server), 'SIGKILL');
    await retry(async () => expect(await serverOf(dataDir)).not.toBe(server));
    expect(await retry(() => query(url, 'SELECT 1 AS value'))).toEqual([{ value: 1 }]);
    expect(await runs(server)).toBe(false);
  });

  test('the numbers of the dead may belong to other programs', async () => {
    const { child, ready } = playground.spawnService(dataDir);
    await ready;
    process.kill(await serverOf(dataDir), 'SIGKILL');
    await kill(child);
    const unrelated = playground.spawnUnrelated();
    const lock = join(
      dataDir,
      (await readdir(dataDir)).find((name) => name.startsWith('embedded.lock'))!,
    );
    const content = (await readlink(lock)).replace(`:${child.pid},`, `:${unrelated},`);
    await rm(lock);
    await symlink(content, lock);
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${unrelated}\n`);
    await playground.start(dataDir);
    expect(await runs(unrelated)).toBe(true);
  });
});
