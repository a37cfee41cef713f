import { execFile, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readSources } from './architecture.js';
import { examplesOf, matching } from './documentation.js';
import { keptFolder } from '../support/kept-folder.js';
import { eventually } from '../support/service-process.js';

const root = join(__dirname, '../..');
const PAGE = join(root, 'docs/testing.md');
const PACKAGE = 'restaurant-hourly-sales-upload-service';

const tools = ['bash', 'curl'];
const testWithTools = tools.every((tool) => spawnSync(tool, ['--version']).status === 0)
  ? test
  : test.skip;
const [, code] = /```js\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))!;
const [example, ...otherExamples] = examplesOf(PAGE);

/** Another project elsewhere, with the service as npm links a folder. */
let folder: string;
let suite: ReturnType<typeof run>;
let command: ReturnType<typeof run>;
let packed: ReturnType<typeof run>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'consumer-'));
  cpSync(join(root, 'test/consumer'), folder, {
    recursive: true,
    filter: (path) => !path.endsWith('node_modules'),
  });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', PACKAGE));
  writeFileSync(join(folder, 'page.test.js'), code!);
  const files = readdirSync(folder).filter(
    (name) => name.endsWith('.test.js') && name !== 'command.test.js',
  );
  writeFileSync(join(folder, 'others.js'), files.map((name) => `import './${name}';`).join('\n'));
  // at the same time: their servers share one PostgreSQL
  suite = run('npm', ['test', '--silent', '--', 'command.test.js', 'others.js']);
  command = run('bash', ['-e', '-c', example!.command], root);
  packed = run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], root);
});
afterAll(async () => {
  await Promise.all([suite, command, packed]);
  await eventually(() => !postgresRuns(), 'the PostgreSQL of the test servers to end');
  rmSync(folder, { recursive: true, force: true });
});

function postgresRuns(): boolean {
  const shared = readdirSync(folder).filter((name) => name.startsWith('sales-testing-'));
  return shared.some((name) =>
    readdirSync(join(folder, name)).some((entry) => entry.startsWith('data-')),
  );
}

async function run(
  program: string,
  args: string[],
  cwd = folder,
): Promise<{ failure: string; stdout: string }> {
  const { PATH, HOME } = process.env;
  const options = { cwd, env: { PATH, HOME, TMPDIR: folder } };
  return promisify(execFile)(program, args, options).then(
    ({ stdout }) => ({ failure: '', stdout }),
    (error: unknown) => {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return { failure: `${stdout}${stderr}`, stdout };
    },
  );
}

test('The tests of test/consumer and of docs/testing.md pass', async () => {
  const { failure, stdout } = await suite;
  expect(failure).toBe('');
  expect(stdout).toMatch(/^\S pass 1[4-9]$/m);
});

testWithTools('The commands of docs/testing.md give what the page shows', async () => {
  expect(otherExamples).toEqual([]);
  const { failure, stdout } = await command;
  expect(failure).toBe('');
  expect(JSON.parse(stdout)).toEqual(matching(JSON.parse(example!.answer!)));
});

test('Its types are right under strict', async () => {
  const program = `import { startTestServer, type TestServer, type TestServerOptions } from '${PACKAGE}/testing';
       const options: TestServerOptions = { users: [{ username: 'till', restaurant_ids: [101] }], now: new Date() };
       const server: TestServer = await startTestServer(options);
       export const results: [string, string] = [server.url, await server.token('till')];
       // @ts-expect-error a user has a username
       await startTestServer({ users: [{ name: 'till' }] });`;
  const flags = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
  ];
  const types = [
    '--lib',
    'es2022',
    '--types',
    'node',
    '--typeRoots',
    join(root, 'node_modules/@types'),
    '--listFiles',
  ];
  const inputs = [
    program,
    readFileSync(join(root, 'package.json'), 'utf8'),
    [...readSources(root, 'dist')],
    flags,
    types,
  ];
  const made = await keptFolder('consumer-types', inputs, async (made) => {
    writeFileSync(join(folder, 'typed.ts'), program);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { failure, stdout } = await run(process.execPath, [tsc, ...flags, ...types, 'typed.ts']);
    expect(failure).toBe('');
    writeFileSync(join(made, 'listed'), stdout);
  });
  const listed = readFileSync(join(made, 'listed'), 'utf8');
  expect(listed).toContain('dist/src/testing/test-server.d.ts');
  expect(listed).not.toContain('node_modules/@types/pg/'); // consumers do not have it
});

test('The packed service holds the test server', async () => {
  const { failure, stdout } = await packed;
  expect(failure).toBe('');
  for (const name of ['start-test-server.js', 'start-test-server.d.ts', 'postgres-daemon.js'])
    expect(stdout).toContain(`"dist/src/testing/${name}"`);
});
