import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as rules from './architecture.js';

const root = join(__dirname, '../..');
const REGISTERS = ['docs/roles.sql', 'eslint.config.mjs'];
const COPIED = ['src', 'examples', 'migrations', 'package.json', ...REGISTERS];

test('npm run new-module makes a module that keeps the rules, with no old name left', () => {
  const copy = mkdtempSync(join(tmpdir(), 'new-module-'));
  for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const args = ['examples/new-module.mjs', 'cash-counts', 'gift-cards'];
  execFileSync(process.execPath, args, { cwd: copy });
  const sources = rules.readSources(copy, 'src');
  const { cycles, misnamedFiles, repeatedStatements, unlistedClasses } = rules;
  for (const rule of [cycles, misnamedFiles, repeatedStatements, unlistedClasses])
    expect(rule(sources)).toEqual([]);
  const own = [...sources].filter(([file]) => file.includes('gift-cards'));
  expect(own.length).toBeGreaterThan(10);
  const migrations = [...rules.readSources(copy, 'migrations')];
  own.push(migrations.find(([file]) => file.endsWith('-create-gift-cards.ts'))!);
  expect(own.filter(([file, text]) => /cash.?count/i.test(file + text))).toEqual([]);
  const read = (file: string): string => readFileSync(join(copy, file), 'utf8');
  expect(read('src/config/config.ts')).toContain('  GiftCardsConfig,');
  for (const file of ['migrations/index.ts', 'src/app.module.ts', ...REGISTERS])
    expect(read(file)).toMatch(/gift.?card/i);
  rmSync(copy, { recursive: true });
}, 120_000);
