import { join } from 'node:path';
import { readSources, type Sources } from '../support/architecture.js';

/** The names of the statements in source texts, with the file of each; a name may be a template. */
function statementNames(sources: Sources): [name: string, file: string][] {
  const statement = /\bname: (['`])([^'`]+)\1,\s*text\b/g;
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(statement)].map((match): [string, string] => [match[2]!, file]),
  );
}

/** A line for each name that is given twice: a connection prepares only the first. */
function givenTwice(sources: Sources): string[] {
  const files = new Map<string, string[]>();
  for (const [name, file] of statementNames(sources)) files.set(name, [...(files.get(name) ?? []), file]);
  return [...files]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `two statements are named "${name}": rename one (${places.join(', ')})`);
}

test('No two statements have one name', () => {
  const sources = readSources(join(__dirname, '../..'), 'src');
  expect(statementNames(sources).length).toBeGreaterThan(20);
  expect(givenTwice(sources)).toEqual([]);
});

test('Two of one name are found', () => {
  const statement = `const A = { name: 'find', text: 'SELECT 1' };`;
  const sources = new Map([
    ['a.ts', statement],
    ['b.ts', `const B = {\n  name: 'find',\n  text: \`SELECT 2\`,\n};`],
  ]);
  expect(givenTwice(sources)).toEqual(['two statements are named "find": rename one (a.ts, b.ts)']);
});
