// Begins a module as a copy of an example: npm run new-module -- cash-counts gift-cards
// The names of examples have two words, so that each spelling of them tells what it is.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ESLint } from 'eslint';
import { format, resolveConfig } from 'prettier';

const [from = '', to = '', given] = process.argv.slice(2);
const singularOf = (plural) => plural.replace(/ies$/, 'ys').slice(0, -1);
const singular = given ?? singularOf(to);
const timestamp = String(Date.now());

/** What will be written, by path. Nothing is, unless everything can be. */
const files = new Map();
const read = (path) => files.get(path) ?? readFileSync(path, 'utf8');

function refuse(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

/** Returns a name in every way in which the sources write it. */
function spellings(name) {
  const pascal = name.replace(/(?:^|-)(.)/g, (_match, letter) => letter.toUpperCase());
  const snake = name.replaceAll('-', '_');
  const words = name.replaceAll('-', ' ');
  const sentence = words[0].toUpperCase() + words.slice(1);
  return [pascal, pascal[0].toLowerCase() + pascal.slice(1), snake, snake.toUpperCase(), name, sentence, words]; // prettier-ignore
}

function rename(text) {
  const pairs = [
    [from, to],
    [singularOf(from), singular],
  ].flatMap(([old, other]) => spellings(old).map((each, at) => [each, spellings(other)[at]]));
  return pairs
    .reduce((renamed, [old], index) => renamed.replaceAll(old, `\0${index}\0`), text)
    .replace(/\0(\d+)\0/g, (_match, index) => pairs[index][1])
    .replace(/1800000\d{6}/g, timestamp);
}

/** Puts lines before the one that holds a mark; the mark is a comment, which formatting leaves alone. */
function insert(path, lines, mark) {
  const text = read(path);
  const before = text.split('\n').findIndex((line) => line.includes(mark));
  if (before < 0) refuse(`${path} has lost the line "${mark}", before which a module is entered`);
  files.set(path, text.split('\n').toSpliced(before, 0, ...lines).join('\n')); // prettier-ignore
}

/** Puts an import after the last one. */
function addImport(path, line) {
  const lines = read(path).split('\n');
  const last = lines.findLastIndex((each) => /^(import |\} from )/.test(each));
  files.set(path, lines.toSpliced(last + 1, 0, line).join('\n'));
}

function examples() {
  const entries = readdirSync('examples', { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).join(', ');
}

function checkNames(sources) {
  const names = [to, singular];
  if (to === '' || !existsSync(`examples/${from}/${from}.module.ts`))
    refuse(
      `give an example (${examples()}) and a name: npm run new-module -- cash-counts gift-cards\n` +
        'A third word is the singular, where it is not the plural without its "s": ... news news-item',
    );
  if (!names.every((name) => /^[a-z]+(-[a-z]+)*$/.test(name)))
    refuse('the names are words in lower case with hyphens between');
  if (to === singular || (given === undefined && !to.endsWith('s')))
    refuse(`give the singular too: npm run new-module -- ${from} ${to} <singular>`);
  if (existsSync(`src/${to}`)) refuse(`src/${to} exists`);
  const table = spellings(to)[2];
  const isTable = new RegExp(`CREATE (TABLE|VIEW) (${table}|${spellings(singular)[2]})\\b`);
  for (const name of readdirSync('migrations'))
    if (isTable.test(read(`migrations/${name}`))) refuse(`migrations/${name} has a table ${table}`);
  const words = new Set(sources.flatMap((text) => text.match(/\b[A-Za-z]\w*\b/g)));
  const own = new Set([from, singularOf(from)].flatMap(spellings));
  for (const name of names.map((each) => spellings(each)[1])) {
    try {
      new Function(`let ${name}`);
    } catch {
      refuse(`${name} is a word of JavaScript: choose another name, or give the singular`);
    }
  }
  for (const name of names.map((each) => spellings(each)[0]))
    if (name in globalThis || (words.has(name) && !own.has(name)))
      refuse(`${name} has a meaning in JavaScript or in the example: choose another name`);
}

function folderOf(name) {
  if (name.endsWith('.config.ts')) return 'src/config';
  return /^\d/.test(name) ? 'migrations' : `src/${to}`;
}

function copyExample(sources) {
  const [own, config] = [`./${to}.config.js`, `../config/${to}.config.js`];
  for (const [name, text] of sources) {
    const isConfig = name.endsWith('.config.ts');
    const copy = rename(text).replaceAll('../../src/', '../');
    files.set(
      `${folderOf(name)}/${rename(name)}`,
      isConfig ? copy.replaceAll('../config/', './') : copy.replaceAll(own, config),
    );
  }
}

/** The lines of .env.example for the settings of a class: its comments and its values. */
function settingsOf(config) {
  const setting =
    /\/\*\*\s*((?:(?!\*\/).)+?)\s*\*\/\s*(?:@[^\n]+\s*)*readonly ([A-Z_]+): \w+ = '?([^\n]*?)'?;/gs;
  return [...config.matchAll(setting)].flatMap(([, comment, name, value]) => [
    `\n# ${comment.replace(/\s*\n\s*\* ?/g, '\n# ')}`,
    `${name}=${value.replaceAll('_', '')}`,
  ]);
}

function register() {
  const [Pascal, , , , , title] = spellings(to);
  addImport('src/app.module.ts', `import { ${Pascal}Module } from './${to}/${to}.module.js';`);
  insert('src/app.module.ts', [`    ${Pascal}Module,`], '// a new module goes here');
  const migration = `Create${Pascal}${timestamp}`;
  addImport(
    'migrations/index.ts',
    `import { ${migration} } from './${timestamp}-create-${to}.js';`,
  );
  insert('migrations/index.ts', [`  ${migration},`], '// a new migration goes here');
  insert('eslint.config.mjs', [`  '${to}',`], '// a new feature goes here');
  const tag = `    { name: '${title}', description: 'The ${title.toLowerCase()} of restaurants' },`;
  if (files.has(`src/${to}/${to}.controller.ts`))
    insert('src/api-description.ts', [tag], '// a new tag goes here');
  const sql = read(`migrations/${timestamp}-create-${to}.ts`);
  const tables = [...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table).join(', ');
  insert(
    'docs/roles.sql',
    [`GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables} TO sales_service;`],
    '-- a new table goes here',
  );
  const section = rename(readFileSync(`examples/${from}/integrating.md`, 'utf8'));
  insert('docs/reference.md', section.split('\n'), 'the section of a new module goes here');
  const config = files.get(`src/config/${to}.config.ts`);
  if (config === undefined) return;
  addImport('src/config/config.ts', `import { ${Pascal}Config } from './${to}.config.js';`);
  insert('src/config/config.ts', [`  ${Pascal}Config,`], '// a new topic goes here');
  const settings = settingsOf(config).join('\n');
  files.set('.env.example', `${read('.env.example').trimEnd()}\n${settings}\n`);
}

const names = existsSync(`examples/${from}`) ? readdirSync(`examples/${from}`) : [];
const sources = names
  .filter((name) => name.endsWith('.ts'))
  .map((name) => [name, readFileSync(`examples/${from}/${name}`, 'utf8')]);
checkNames(sources.map(([, text]) => text));
copyExample(sources);
register();
// New names stand elsewhere in the order of imports, and may need other lines.
process.env.LINT_TYPES = 'off';
const sorter = new ESLint({
  fix: true,
  ruleFilter: ({ ruleId }) => ruleId === 'simple-import-sort/imports',
});
for (const [path, text] of files) {
  if (!/\.m?[jt]s$/.test(path)) continue;
  const [{ output = text }] = await sorter.lintText(text, { filePath: path });
  const style = { ...(await resolveConfig('package.json')), filepath: path };
  files.set(path, await format(output, style));
}
mkdirSync(`src/${to}`);
for (const [path, text] of files) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
for (const path of files.keys()) process.stdout.write(`wrote ${path}\n`);
process.stdout.write(`src/${to}: change it, then follow docs/extending.md from step 1
docs/reference.md: its section "${spellings(to)[5]}" still says what the example does
`);
