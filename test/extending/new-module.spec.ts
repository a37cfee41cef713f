import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cycles, misnamedFiles, readSources, repeatedStatements, unlistedClasses } from './architecture.js'; // prettier-ignore

const root = join(__dirname, '../..');
const COPIED = ['src', 'examples', 'migrations', 'docs/roles.sql', 'eslint.config.mjs', 'package.json']; // prettier-ignore

test('npm run new-module makes a module that keeps the rules, and has nothing of the old name', () => {
  const copy = mkdtempSync(join(tmpdir(), 'new-module-'));
  for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const args = ['examples/new-module.mjs', 'cash-counts', 'gift-cards'];
  execFileSync(process.execPath, args, { cwd: copy });
  const sources = readSources(copy, 'src');
  for (const rule of [cycles, misnamedFiles, repeatedStatements, unlistedClasses])
    expect(rule(sources)).toEqual([]);
  const own = [...sources].filter(([file]) => file.includes('gift-cards'));
  expect(own.length).toBeGreaterThan(10);
  const migration = [...readSources(copy, 'migrations').keys()].find((file) => file.endsWith('-create-gift-cards.ts')); // prettier-ignore
  own.push([migration!, readFileSync(join(copy, migration!), 'utf8')]);
  expect(own.filter(([file, text]) => /cash.?count/i.test(file + text))).toEqual([]);
  expect(readFileSync(join(copy, 'src/config/config.ts'), 'utf8')).toMatch(
    /extends\s+GiftCardsConfig,/,
  );
  const changed = ['migrations/index.ts', 'src/app.module.ts', 'src/config/config.ts'];
  for (const file of [...changed, 'docs/roles.sql', 'eslint.config.mjs'])
    expect(readFileSync(join(copy, file), 'utf8')).toMatch(/gift.?card/i);
  rmSync(copy, { recursive: true });
}, 120_000);
