import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minVersion, satisfies } from 'semver';
import { migrations } from '../../migrations/index.js';
import { cycles, importBreaches, loadedWith, readSources, unlisted, type Sources } from '../support/architecture.js';
import {
  businessWords,
  crowdedFolders,
  duplicateStatements,
  textBreaches,
  wordiness,
} from '../support/source-rules.js';

const root = join(__dirname, '../..');

const MAX_COMMENT_WORDS_IN_100_LINES = 60;

const allRules = (sources: Sources): string[] =>
  [importBreaches, cycles, textBreaches, businessWords, crowdedFolders, duplicateStatements].flatMap((rule) =>
    rule(sources),
  );

describe('The architecture', () => {
  test.each(['src', 'migrations'])('is kept by every file of %s', (folder) => {
    expect(allRules(readSources(root, folder))).toEqual([]);
  });

  test('every module, controller, command, service and repository is listed where Nest finds it', () => {
    const sources = readSources(root, 'src');
    expect(unlisted(sources)).toEqual([]);
    const [module, commands] = ['src/x/x.module.ts', 'src/x/x.commands.ts'];
    expect(unlisted(new Map([...sources, [module, ''], [commands, '']]))).toEqual([
      `${module}: nothing imports it, so Nest does not know it; add its class to the imports of src/app.module.ts`,
      `${commands}: nothing imports it, so Nest does not know it; add its class to the module of its feature`,
    ]);
  });

  test('only the test server loads a clock that can be set', () => {
    const sources = readSources(root, 'src');
    const CLOCK = 'src/testing/test-clock.ts';
    expect(loadedWith(sources, 'src/testing/run-test-server.ts')).toContain(CLOCK);
    for (const program of ['src/main.ts', 'src/cli.ts']) {
      expect(loadedWith(sources, program).size).toBeGreaterThan(100);
      expect(loadedWith(sources, program)).not.toContain(CLOCK);
    }
  });

  test('comments leave room for the code', () => {
    const { words, byFolder } = wordiness(readSources(root, 'src'));
    const report = `${words} words of comment in 100 lines; shorten those of ${byFolder}`;
    expect({ report, isTooMuch: words > MAX_COMMENT_WORDS_IN_100_LINES }).toEqual({ report, isTooMuch: false });
  });

  test.each([
    ['a platform folder knows no feature', 'src/http/x.ts', `import { A } from '../sales/sales.service.js';`],
    ['no folder knows the server', 'src/sales/x.ts', `import { A } from '../server/serve.js';`],
    ['no folder knows the files of src', 'src/sales/x.ts', `import { A } from '../create-app.js';`],
    ['an import within a function counts', 'src/http/x.ts', `await import('../sales/sales.service.js');`],
    ['a new folder says what it may know', 'src/new/x.ts', `import { A } from '../config/app-config.js';`],
    ['a lower feature knows no higher one', 'src/users/x.service.ts', `import { A } from '../auth/auth.service.js';`],
    ['an entity stays at home', 'src/sales/x.service.ts', `import { User } from '../users/user.entity.js';`],
    ['a guard stays at home', 'src/sales/x.ts', `import {\n  TokenGuard,\n} from '../auth/passport/token.guard.js';`],
    ['a controller calls its service', 'src/sales/sales.controller.ts', `import { A } from './uploads.repository.js';`],
    ['a command calls its service', 'src/users/users.commands.ts', `import { A } from './users.repository.js';`],
    ['a service holds no SQL', 'src/sales/sales.service.ts', `import { Repository } from 'typeorm';`],
    ['a service knows no transport', 'src/sales/sales.service.ts', `import type { Request } from 'express';`],
    ['a repository decides nothing', 'src/sales/x.repository.ts', `import { A } from './sales.errors.js';`],
    ['a DTO describes what is sent', 'src/sales/dto/x.dto.ts', `import { A } from '../hour.entity.js';`],
    ['a DTO is imported as a value', 'src/sales/x.controller.ts', `import type { UploadDto } from './dto/u.dto.js';`],
    ['so it is among values', 'src/sales/x.controller.ts', `import { type UploadDto } from './dto/u.dto.js';`],
    ['exports are named', 'src/sales/x.ts', 'export default class {}'],
    ['no cast through unknown', 'src/sales/x.ts', 'const a = b as unknown as string;'],
    ['only config reads the environment', 'src/sales/x.ts', 'process.env.PORT;'],
    ['the log is not bypassed', 'src/sales/x.ts', `console.log('x');`],
    ['today is not the machine’s', 'src/sales/x.ts', 'const now = new Date();'],
    ['an interval lets the process end', 'src/sales/x.ts', 'setInterval(() => work(), 1000);'],
    ['pages follow a key', 'src/sales/x.ts', 'find({ take: 5, skip: page * 5 });'],
    ['pages follow a key in SQL too', 'src/sales/x.ts', 'const text = `LIMIT 5 OFFSET $1`;'],
    ['a command runs no SQL', 'src/sales/x.commands.ts', "export class XCommands { t = 'DELETE FROM sales_days'; }"],
    ['a class has the name of its file', 'src/sales/sales.service.ts', 'export class SalesDecisions {}'],
    ['nothing is left to do', 'src/sales/x.ts', '// TODO later'],
    ['names are kebab-case', 'src/sales/SalesThing.ts', ''],
    ['a file stays small', 'src/sales/x.ts', '\n'.repeat(201)],
    ['folders are named after features', 'src/sales/utils/x.ts', ''],
    ['the platform names no business', 'src/http/x.ts', 'const latestUploadDay = 1;'],
  ])('a breach is found: %s', (_rule, file, text) => {
    expect(allRules(new Map([[file, text]]))).toHaveLength(1);
  });

  test.each([
    ['text and comments of the platform may name business', '/** Of an upload. */ const a = `upload ${b}`;'],
    ['parts of other words are none', 'const tokenizer = loginless;'],
  ])('no breach is found where there is none: %s', (_rule, text) => {
    expect(allRules(new Map([['src/http/x.ts', text]]))).toEqual([]);
  });

  test('a breach over several files is found', () => {
    const file = (path: string, ...imports: string[]): [string, string] => [
      path,
      imports.map((from) => `import { A } from '${from}';\n`).join(''),
    ];
    const filesInCircle = new Map([file('src/x.ts', './y.js'), file('src/y.ts', './z.js'), file('src/z.ts', './x.js')]);
    expect(cycles(filesInCircle)).toHaveLength(1);
    const foldersInCircle = new Map([
      file('src/http/body/x.ts', '../errors/x.js'),
      file('src/http/errors/x.ts'),
      file('src/http/errors/y.ts', '../body/y.js'),
    ]);
    expect(cycles(foldersInCircle)).toEqual([expect.stringMatching(/^src\/http\/body -> src\/http\/errors -> /)]);
    expect(cycles(new Map([file('src/sales/a/x.ts', '../x.js'), file('src/sales/x.ts', './a/y.js')]))).toEqual([]);
    expect(crowdedFolders(new Map(Array.from({ length: 16 }, (_, index) => file(`src/x/${index}.ts`))))).toHaveLength(
      1,
    );
    const statement = `const A = { name: 'find_a', text: 'SELECT 1' };`;
    const again = `const B = {\n  name: 'find_a',\n  text: \`SELECT 2\`,\n};`;
    expect(
      duplicateStatements(
        new Map([
          ['a.ts', statement],
          ['b.ts', again],
        ]),
      ),
    ).toEqual(['b.ts: the statement find_a is also in a.ts; give it another name']);
    const deletions = `const A = deleteBatch('a', 'id', 'x'); const B = deleteBatch('a', 'id', 'y');`;
    expect(duplicateStatements(new Map([['a.ts', deletions]]))).toHaveLength(1);
    expect(wordiness(new Map([['src/x/a.ts', '// two words\nconst a = `${b}`; // three: `more` words\n']])).words).toBe(
      250,
    );
  });

  test('every migration is listed, oldest first', () => {
    const files = readdirSync(join(root, 'migrations')).filter((name) => name !== 'index.ts');
    const listed: string[] = migrations.map(({ name }) => /\d+$/.exec(name)![0]);
    const missing = files.filter((name) => !listed.includes(/^\d+/.exec(name)![0]));
    expect({ 'add these to the list in migrations/index.ts': missing }).toEqual({
      'add these to the list in migrations/index.ts': [],
    });
    expect(listed).toEqual([...listed].sort());
  });

  test('every package runs on the oldest Node that package.json admits', () => {
    type Lock = { packages: Record<string, { engines?: { node?: string } }> };
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
    const oldest = minVersion(packages['']!.engines!.node!)!;
    const unfit = Object.entries(packages).filter(
      ([, { engines }]) => engines && !satisfies(oldest, engines.node ?? '*'),
    );
    const remedy = 'take another version of these, or override it: npm ci would warn';
    expect({ [remedy]: unfit.map(([path]) => path) }).toEqual({ [remedy]: [] });
  });

  test('the top level holds what the map shows, and what the guides suggest', () => {
    const shown = ['README.md', 'deploy', 'docs', 'eslint.config.mjs', 'migrations', 'nest-cli.json', 'package-lock.json']
      .concat(['package.json', 'src', 'test', 'tsconfig.build.json', 'tsconfig.json']); // prettier-ignore
    const suggested = ['Dockerfile', 'compose.yaml', 'CHANGELOG.md', 'client', 'web', 'e2e'];
    const made = ['node_modules', 'dist', 'coverage'];
    const found = readdirSync(root).filter((name) => !name.startsWith('.') && !made.includes(name));
    expect(found).toEqual(expect.arrayContaining(shown));
    const unknown = found.filter((name) => ![...shown, ...suggested].includes(name));
    expect({ 'move these into a folder, or add them to this test and to the map in README.md': unknown }).toEqual({
      'move these into a folder, or add them to this test and to the map in README.md': [],
    });
  });
});
