import { execFile, execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { loadedWith, readSources } from './architecture.js';
import { examplesOf, matching } from './documentation.js';

const root = join(__dirname, '../..');
const PAGE = join(root, 'docs/testing.md');
const PACKAGE = 'restaurant-hourly-sales-upload-service';
const examples = examplesOf(PAGE);

const isHere = (tool: string): boolean => spawnSync(tool, ['--version']).status === 0;
const testWithTools = ['bash', 'curl'].every(isHere) ? test : test.skip;

/** How each runner of tests runs its example of test/consumer/runners, in its own process. */
const RUNNERS: Record<string, string[]> = {
  node: ['--test', 'clock.node.test.mjs'],
  vitest: ['node_modules/vitest/vitest.mjs', 'run', 'saved-once.vitest'],
  jest: ['node_modules/jest/bin/jest.js', 'busy.jest'],
  playwright: ['node_modules/@playwright/test/cli.js', 'test', 'late.playwright'],
};

/** Another project elsewhere, with the packed service. */
let folder: string;
let suite: ReturnType<typeof run>;
let command: ReturnType<typeof run>;
beforeAll(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'consumer-'));
  const filter = (path: string): boolean => !path.endsWith('node_modules');
  fs.cpSync(join(root, 'test/consumer'), folder, { recursive: true, filter });
  installPacked(join(folder, 'node_modules'));
  const others = ['clock', 'fixtures'].map((name) => `import './${name}.test.js';`);
  fs.writeFileSync(join(folder, 'others.js'), others.join('\n')); // each process loads the service
  suite = run('npm', ['test', '--silent', '--', 'command.test.js', 'others.js']);
  const script = examples.map(({ command: typed }) => `${typed}\nprintf '\\036'`).join('\n');
  command = run('bash', ['-e', '-c', script], root);
});
afterAll(async () => {
  await Promise.all([suite, command]);
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Unpacks what `npm pack` makes, beside links to the packages that npm would install with it. */
function installPacked(modules: string): void {
  const packed = join(modules, PACKAGE);
  fs.mkdirSync(packed, { recursive: true });
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', modules];
  execFileSync('npm', pack, { cwd: root });
  const [file] = fs.readdirSync(modules).filter((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', join(modules, file!), '-C', packed, '--strip-components=1']);
  const { packages } = JSON.parse(fs.readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const needed = Object.keys(packages).filter(
    (path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !packages[path].dev,
  );
  const runners = ['vitest', 'jest', '@playwright/test'].map((name) => `node_modules/${name}`);
  for (const path of [...needed, ...runners].filter((each) => fs.existsSync(join(root, each)))) {
    const link = join(dirname(modules), path);
    fs.mkdirSync(dirname(link), { recursive: true });
    fs.symlinkSync(join(root, path), link);
  }
}

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

test('The tests of test/consumer pass', async () => {
  const { failure, stdout } = await suite;
  expect(failure).toBe('');
  expect(stdout).toMatch(/^\S pass 13$/m);
});

test.each(Object.entries(RUNNERS))(
  'The example for %s passes',
  async (_runner, [first, ...rest]) => {
    const args = first!.startsWith('-') ? [first!] : [join(folder, first!)];
    const cwd = join(folder, 'runners');
    const { failure, stdout } = await run(process.execPath, [...args, ...rest], cwd);
    expect(failure).toBe('');
    expect(stdout).not.toMatch(/\bno tests\b/i);
  },
);

test('docs/testing.md prints the example for node --test', () => {
  const example = fs.readFileSync(join(root, 'test/consumer/runners/clock.node.test.mjs'), 'utf8');
  expect(fs.readFileSync(PAGE, 'utf8')).toContain(`\n${example}`);
});

testWithTools('The commands of docs/testing.md give what the page shows', async () => {
  const { failure, stdout } = await command;
  expect(failure).toBe('');
  const seen = stdout.split('\x1e').slice(0, -1).map((text) => JSON.parse(text)); // prettier-ignore
  expect(seen).toEqual(examples.map(({ answer }) => matching(JSON.parse(answer!))));
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
