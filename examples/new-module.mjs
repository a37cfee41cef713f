// Begins a module as a copy of an example: npm run new-module -- cash-counts gift-cards
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const [from = '', to = ''] = process.argv.slice(2);
if (!existsSync(`examples/${from}/${from}.module.ts`) || !/^[a-z]+(-[a-z]+)*s$/.test(to))
  throw new Error('give an example and a new plural: npm run new-module -- cash-counts gift-cards');
if (existsSync(`src/${to}`)) throw new Error(`src/${to} exists`);

/** Returns a name in every way in which the sources write it. */
function spellings(name) {
  const pascal = name.replace(/(?:^|-)(.)/g, (_match, letter) => letter.toUpperCase());
  const snake = name.replaceAll('-', '_');
  const words = name.replaceAll('-', ' ');
  const sentence = words[0].toUpperCase() + words.slice(1);
  return [pascal, pascal[0].toLowerCase() + pascal.slice(1), snake, snake.toUpperCase(), name, sentence, words]; // prettier-ignore
}

const timestamp = String(Date.now());
const [before, after] = [from, to].map((plural) =>
  [plural, plural.replace(/ies$/, 'ys').slice(0, -1)].flatMap(spellings),
);
const rename = (text) =>
  before
    .reduce((renamed, old, index) => renamed.replaceAll(old, after[index]), text)
    .replace(/1800000\d{6}/g, timestamp);

function insert(file, line, mark) {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(mark)) throw new Error(`${file} does not have "${mark.trim()}"`);
  writeFileSync(file, text.replace(mark, `${line}\n${mark}`));
}

function folderOf(name, isConfig) {
  if (isConfig) return 'src/config';
  return /^\d/.test(name) ? 'migrations' : `src/${to}`;
}

cpSync(`examples/${from}`, `src/${to}`, { recursive: true });
for (const name of readdirSync(`src/${to}`)) {
  const isConfig = name.endsWith('.config.ts');
  const folder = folderOf(name, isConfig);
  const text = rename(readFileSync(`src/${to}/${name}`, 'utf8'))
    .replaceAll('../../src/', '../')
    .replaceAll(isConfig ? '../config/' : `./${to}.config.js`, isConfig ? './' : `../config/${to}.config.js`); // prettier-ignore
  writeFileSync(`src/${to}/${name}`, text);
  renameSync(`src/${to}/${name}`, `${folder}/${rename(name)}`);
}

const [Pascal] = spellings(to);
insert(
  'src/app.module.ts',
  `import { ${Pascal}Module } from './${to}/${to}.module.js';`,
  'import { UsersModule',
);
insert('src/app.module.ts', `    ${Pascal}Module,`, '    // a new module');
insert(
  'migrations/index.ts',
  `import { Create${Pascal}${timestamp} } from './${timestamp}-create-${to}.js';`,
  '\n/** Every',
);
insert('migrations/index.ts', `  Create${Pascal}${timestamp},`, '  // a new migration');
insert('eslint.config.mjs', `  '${to}',`, '  // a new feature');
const migration = readFileSync(`migrations/${timestamp}-create-${to}.ts`, 'utf8');
const tables = [...migration.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table);
insert(
  'docs/roles.sql',
  `GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables.join(', ')} TO sales_service;`,
  '\n-- a new table',
);
if (existsSync(`src/config/${to}.config.ts`)) {
  insert(
    'src/config/config.ts',
    `import { ${Pascal}Config } from './${to}.config.js';`,
    'import { LimitsConfig }',
  );
  insert('src/config/config.ts', `  ${Pascal}Config,`, '  // a new topic');
}
execFileSync('npx', [
  'prettier',
  '--log-level=error',
  '--write',
  `src/${to}`,
  'src/config',
  'migrations',
]);
process.stdout.write(`src/${to}: change it, then follow docs/extending.md from step 1\n`);
