import { execFile, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { loadedWith, readSources } from './architecture.js';
import { examplesOf, matching } from './documentation.js';

const root = join(__dirname, '../..');
const PAGE = join(root, 'docs/testing.md');
const PACKAGE = 'restaurant-hourly-sales-upload-service';

const isHere = (tool: string): boolean => spawnSync(tool, ['--version']).status === 0;
const testWithTools = ['bash', 'curl'].every(isHere) ? test : test.skip;
const [, code] = /```js\n([\s\S]*?)```/.exec(fs.readFileSync(PAGE, 'utf8'))!;
const [example, ...otherExamples] = examplesOf(PAGE);

/** Another project elsewhere, with the service as npm links a folder. */
let folder: string;
let suite: ReturnType<typeof run>;
let command: ReturnType<typeof run>;
beforeAll(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'consumer-'));
  const filter = (path: string): boolean => !path.endsWith('node_modules');
  fs.cpSync(join(root, 'test/consumer'), folder, { recursive: true, filter });
  fs.mkdirSync(join(folder, 'node_modules'));
  fs.symlinkSync(root, join(folder, 'node_modules', PACKAGE));
  fs.writeFileSync(join(folder, 'page.test.js'), code!);
  const others = ['clock', 'fixtures', 'page'].map((name) => `import './${name}.test.js';`);
  fs.writeFileSync(join(folder, 'others.js'), others.join('\n')); // each process loads the service
  suite = run('npm', ['test', '--silent', '--', 'command.test.js', 'others.js']);
  command = run('bash', ['-e', '-c', example!.command], root);
});
afterAll(async () => {
  await Promise.all([suite, command]);
  fs.rmSync(folder, { recursive: true, force: true });
});

async function run(program: string, args: string[], cwd = folder) {
  const { PATH, HOME } = process.env;
  // dist/ is built: npm leaves out the scripts that build it before others
  const options = { cwd, env: { PATH, HOME, npm_config_ignore_scripts: 'true' } };
  return promisify(execFile)(program, args, options).then(
    ({ stdout }) => ({ failure: '', stdout }),
    (error: unknown) => {
      const { stdout, stderr } = error as Record<'stdout' | 'stderr', string>;
      return { failure: `${stdout}${stderr}`, stdout };
    },
  );
}

test('The tests of test/consumer and of docs/testing.md pass', async () => {
  const { failure, stdout } = await suite;
  expect(failure).toBe('');
  expect(stdout).toMatch(/^\S pass 10$/m);
});

testWithTools('The commands of docs/testing.md give what the page shows', async () => {
  expect(otherExamples).toEqual([]);
  const { failure, stdout } = await command;
  expect(failure).toBe('');
  expect(JSON.parse(stdout)).toEqual(matching(JSON.parse(example!.answer!)));
});

test('Its types need no package that a consumer does not have', () => {
  const declarations = [...readSources(root, 'dist/src')].flatMap(([file, text]) => {
    const [, name] = /^dist\/(.+)\.d\.ts$/.exec(file) ?? [];
    return name === undefined ? [] : [[`${name}.ts`, text] as const];
  });
  const sources = new Map<string, string>(declarations);
  const loaded = [...loadedWith(sources, 'src/testing/start-test-server.ts')];
  expect(loaded).toContain('src/testing/test-server.ts');
  const imported = loaded.flatMap((file) => ts.preProcessFile(sources.get(file)!).importedFiles);
  const packages = imported.filter(({ fileName }) => !/^(\.|node:)/.test(fileName));
  expect(packages.map(({ fileName }) => fileName)).toEqual(['reflect-metadata']); // comes with it
});

test('The packed service holds what it exports', () => {
  const { exports, files } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'));
  for (const path of Object.values<string>(exports['./testing'])) {
    expect(fs.existsSync(join(root, path))).toBe(true);
    expect(files).toContain(path.split('/')[1]);
  }
});
