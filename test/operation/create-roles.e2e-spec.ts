import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { execute } from '../../src/testing/test-database.js';

const SERVER = (process.env['TEST_NODE_URLS'] ?? '').split(' ')[0]!;
const SCRIPT = readFileSync(join(__dirname, '../../docs/create-roles.sql'), 'utf8');
const isInstalled = spawnSync('psql', ['--version']).status === 0;

/** Runs SQL as the superuser of the server. */
async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(SERVER);
  await client.connect();
  return client.query(sql).then(({ rows }) => rows as Record<string, unknown>[]).finally(() => client.end()); // prettier-ignore
}

/** Runs the script for roles of other names, as those of the tests are of the whole server. */
function createRoles(passwords: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'], ...passwords };
  const input = SCRIPT.replace(/\bsales_(owner|service)/g, 'kit_$1');
  return spawnSync('psql', ['-Xq', SERVER, '-f', '-'], { env, input, encoding: 'utf8' });
}

const PASSWORDS = { OWNER_PASSWORD: "o'wner", SERVICE_PASSWORD: 'service' };
const ROLES = `
  SELECT rolname, rolpassword, rolcanlogin, rolconnlimit, array_length(setconfig, 1) AS limits
  FROM pg_authid
  LEFT JOIN pg_db_role_setting ON setrole = oid
  WHERE rolname LIKE 'kit%'
  ORDER BY rolname`;

(isInstalled ? describe : describe.skip)('docs/create-roles.sql', () => {
  const dropRoles = () => execute(SERVER, 'DROP ROLE IF EXISTS kit_owner, kit_service_b, kit_service'); // prettier-ignore
  beforeEach(dropRoles);
  afterAll(dropRoles);

  test('makes the owner, the service and its second login, which has no password yet', async () => {
    expect(createRoles(PASSWORDS)).toMatchObject({ status: 0, stderr: '' });
    const [set, none] = [expect.stringContaining('SCRAM'), null];
    expect(await query(ROLES)).toMatchObject([
      { rolname: 'kit_owner', rolpassword: set, rolconnlimit: -1 },
      { rolname: 'kit_service', rolpassword: set, rolconnlimit: 40, limits: 4 },
      { rolname: 'kit_service_b', rolpassword: none, rolconnlimit: 40, limits: 4 },
    ]);
    expect(await query(`SELECT pg_has_role('kit_service_b', 'kit_service', 'USAGE')`)).toEqual([
      { pg_has_role: true },
    ]);
  });

  test('a second run changes no role: a login that a rotation closed stays closed', async () => {
    createRoles(PASSWORDS);
    await execute(SERVER, `ALTER ROLE kit_service_b CONNECTION LIMIT 80 PASSWORD 'rotated'`);
    await execute(SERVER, 'ALTER ROLE kit_service PASSWORD NULL');
    const before = await query(ROLES);
    expect(createRoles(PASSWORDS).status).toBe(0);
    expect(await query(ROLES)).toEqual(before);
  });

  test('a first run without a password makes no role', async () => {
    for (const passwords of [{}, { OWNER_PASSWORD: 'new' }, { SERVICE_PASSWORD: 'new' }]) {
      const { status, stderr } = createRoles(passwords);
      expect(status).toBe(3);
      expect(stderr).toContain('set OWNER_PASSWORD and SERVICE_PASSWORD in the environment');
    }
    expect(await query(ROLES)).toEqual([]);
  });
});
