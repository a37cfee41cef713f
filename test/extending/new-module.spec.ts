import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceCopy } from '../support/service-copy.js';
import * as rules from './architecture.js';

const root = join(__dirname, '../..');
const LISTS = [
  ...['docs/roles.sql', 'docs/reference.md', 'eslint.config.mjs', 'migrations/index.ts'],
  ...['src/app.module.ts', 'src/api-description.ts', 'src/config/config.ts', '.env.example'],
];

let service: ServiceCopy;
let copy: string;
beforeAll(() => {
  service = new ServiceCopy();
  copy = service.folder;
});
afterAll(() => service.remove());

const read = (file: string): string => service.read(file);

function newModule(...names: readonly string[]) {
  const args = ['examples/new-module.mjs', ...names];
  return spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
}

/** The two last ones have the names of their examples; others are such that no module has them. */
const MODULES = [
  ['cash-counts', 'specimen-cards', /cash.?count/i],
  ['sales-targets', 'specimen-budgets', /sales.?target/i],
  ['upload-notices', 'specimen-notices', /upload.?notice/i],
  ['cash-counts', 'cash-counts', undefined],
  ['sales-targets', 'sales-targets', undefined],
] as const;

test('npm run new-module makes modules that keep the rules, with no old name left', () => {
  for (const [example, name, oldName] of MODULES) {
    if (!oldName && existsSync(join(root, 'src', name))) continue; // a module of the service
    expect(newModule(example, name)).toMatchObject({ status: 0, stderr: '' });
    const own = [...rules.readSources(copy, 'src')].filter(([file]) => file.includes(name));
    const migration = readdirSync(join(copy, 'migrations')).find((file) => file.includes(name));
    own.push([migration!, read(`migrations/${migration}`)]);
    expect(own.length).toBeGreaterThan(5);
    if (oldName) expect(own.filter(([file, text]) => oldName.test(file + text))).toEqual([]);
  }
  const sources = rules.readSources(copy, 'src');
  const { cycles, misnamedFiles, repeatedStatements, unlistedClasses } = rules;
  for (const rule of [cycles, misnamedFiles, repeatedStatements, unlistedClasses])
    expect(rule(sources)).toEqual([]);
  for (const file of LISTS) expect(read(file)).toMatch(/specimen.?card/i);
  expect(read('.env.example')).toMatch(
    /\n\n# Largest number of .+\nSPECIMEN_CARDS_MAX_DRAWERS=20\n/,
  );
  const compiler = [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'];
  execFileSync(process.execPath, [...compiler, '--noEmit', '--incremental', 'false'], {
    cwd: copy,
    stdio: 'inherit',
  });
}, 600_000);

test.each([
  [['--help'], /^give an example \(cash-counts, sales-targets, .+\) and a name.+\nA third word/],
  [['cash-counts'], /^give an example/],
  [['nothing', 'gift-cards'], /^give an example/],
  [['cash-counts', 'Gift_Cards'], /words in lower case/],
  [['cash-counts', 'staff'], /give the singular too/],
  [['cash-counts', 'news'], /^new is a word of JavaScript/],
  [['cash-counts', 'dates'], /^Date has a meaning/],
  [['cash-counts', 'users'], /^src\/users exists/],
  [['cash-counts', 'tokens'], /has a table tokens/],
])('%j is refused before anything is written', (names, reason) => {
  const before = LISTS.map(read);
  const { status, stderr } = newModule(...names);
  expect([status, stderr]).toEqual([1, expect.stringMatching(reason)]);
  expect(LISTS.map(read)).toEqual(before);
});
