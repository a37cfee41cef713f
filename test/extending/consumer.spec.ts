import { execFile, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
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
import ts from 'typescript';
import { loadedWith, readSources } from './architecture.js';
import { examplesOf, matching } from './documentation.js';

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
  suite = run('npm', ['test', '--silent', '--', 'command.test.js', 'others.js']);
  command = run('bash', ['-e', '-c', example!.command], root);
});
afterAll(async () => {
  await Promise.all([suite, command]);
  rmSync(folder, { recursive: true, force: true });
});

async function run(
  program: string,
  args: string[],
  cwd = folder,
): Promise<{ failure: string; stdout: string }> {
  const { PATH, HOME } = process.env;
  // dist/ is built: npm leaves out the scripts that build it before others
  const options = { cwd, env: { PATH, HOME, npm_config_ignore_scripts: 'true' } };
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
  expect(stdout).toMatch(/^\S pass 1[3-9]$/m);
});

testWithTools('The commands of docs/testing.md give what the page shows', async () => {
  expect(otherExamples).toEqual([]);
  const { failure, stdout } = await command;
  expect(failure).toBe('');
  expect(JSON.parse(stdout)).toEqual(matching(JSON.parse(example!.answer!)));
});

test('Its types need no package that a consumer does not have', () => {
  const declarations = [...readSources(root, 'dist/src')].filter(([file]) =>
    file.endsWith('.d.ts'),
  );
  const sources = new Map(
    declarations.map(([file, text]) => [file.replace(/^dist\/(.+)\.d\.ts$/, '$1.ts'), text]),
  );
  const loaded = [...loadedWith(sources, 'src/testing/start-test-server.ts')];
  expect(loaded).toContain('src/testing/test-server.ts');
  const packages = loaded
    .flatMap((file) => ts.preProcessFile(sources.get(file)!).importedFiles)
    .flatMap(({ fileName }) => (/^(\.|node:)/.test(fileName) ? [] : [fileName]));
  expect(packages).toEqual(['reflect-metadata']); // which is installed with the service
});

test('The packed service holds what it exports', () => {
  const { exports, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { types, default: code } = exports['./testing'];
  for (const path of [types, code] as string[]) {
    expect(existsSync(join(root, path))).toBe(true);
    expect(files).toContain(path.split('/')[1]);
  }
});
