import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readSources } from './architecture.js';

const root = join(__dirname, '../..');

interface Text {
  readonly path: string;
  readonly text: string;
}

interface Linted {
  /** What was found in each text, as if it stood at its path. */
  readonly found: string[][];
  /** The messages of all rules of our own. */
  readonly messages: string[];
}

function lint(texts: readonly Text[]): Linted {
  const input = JSON.stringify(texts);
  const program = [join(root, 'test/support/lint-texts.mjs')];
  const options = { cwd: root, input, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, program, options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Linted;
}

const route = (parameter: string): string =>
  `@Controller() @QueuedRead() export class X { @Get() read(${parameter}): void {} }`;
const inMethod = (statement: string): string => `export class X { async run() { ${statement} } }`;
const sse = (decorators: string): string =>
  `@Controller() export class X { ${decorators} watch(): Observable<MessageEvent> {} }`;
const service = 'src/sales/x.service.ts';
const repository = 'src/sales/x.repository.ts';
const controller = 'src/sales/x.controller.ts';

/** Each rule of eslint.config.mjs that is our own, broken once; the last part is in its message. */
const BREACHES: readonly [path: string, text: string, message: string][] = [
  ['src/http/x.ts', "import { a } from '../sales/a.js';", 'src/http may import from'],
  ['src/users/x.ts', "import { a } from '../auth/a.service.js';", 'src/users may import from'],
  ['src/sales/x.ts', "import { a } from '../testing/a.js';", 'src/sales may import from'],
  ['src/sales/x.ts', "import { a } from '../main.js';", 'Only src/server'],
  ['src/sales/x.ts', "import { a } from './utils/a.js';", 'Name the folder after'],
  ['src/sales/x.ts', "import { a } from '../users/a.entity.js';", 'From another feature'],
  [controller, "import { a } from './a.repository.js';", 'calls its service'],
  [controller, "import { a } from './a.statements.js';", 'calls its service'],
  ['src/sales/x.commands.ts', "import { a } from 'typeorm';", 'calls its service'],
  [service, "import { a } from 'express';", 'leaves HTTP to the controller'],
  [repository, "import { a } from './a.errors.js';", 'leaves decisions to the service'],
  ['src/sales/x.statements.ts', "import { a } from './a.dto.js';", 'leaves decisions'],
  ['src/sales/x.dto.ts', "import { a } from './a.entity.js';", 'describes only what is sent'],
  [
    service,
    '@Injectable() export class X { constructor(a: A, b: A, c: A, d: A, e: A, f: A) {} }',
    'At most five dependencies',
  ],
  [service, 'export default 1;', 'Exports are named'],
  [service, 'export const a = b as unknown as string;', 'No "as unknown as"'],
  [service, inMethod("console.log('a');"), 'The log is written'],
  [service, "import type { ADto } from './a.dto.js';", 'loses its validation'],
  [service, "import { type ADto } from './a.dto.js';", 'loses its validation'],
  [controller, '@Controller() export class X { @Post() send() {} }', 'A route states'],
  [service, inMethod('setInterval(f, 1);'), 'An interval keeps'],
  [controller, route('@Query() a: { b: string }'), 'declared by a class'],
  [controller, route('@Res() a: Response'), 'Nest would send nothing'],
  [service, inMethod('return new Date();'), 'The day depends on'],
  [service, inMethod('return new Date(text);'), 'A day is text'],
  [service, inMethod('return Date.now();'), 'Tests set the clock'],
  [repository, "const a = 'LIMIT 10 OFFSET $1';", 'Pages follow the key'],
  [service, inMethod('await a.find({ skip: 1 });'), 'Pages follow the key'],
  [repository, inMethod('await query.orderBy(a).offset(b).getMany();'), 'Pages follow the key'],
  ['src/sales/x.dto.ts', 'export class A extends PartialType(B) {}', 'null would pass'],
  [service, 'const a = b.reduce((sum, { amount }) => sum + amount, 0);', 'adds decimals inexactly'],
  [service, 'const a = b.reduce((sum, c) => sum + c.amount, 0);', 'adds decimals inexactly'],
  [service, inMethod('for (const { amount } of b) sum += amount;'), 'adds decimals inexactly'],
  [service, inMethod("process.stdout.write('a');"), 'The log is written'],
  ['src/sales/x.listener.ts', inMethod('return Date.now();'), 'Tests set the clock'],
  [service, 'new Counter({ labelNames: LABELS });', 'Write the names of the labels'],
  [controller, '@Controller() export class X { @Get() a(): void {} }', 'waits for its turn'],
  [service, "new Counter({ labelNames: ['username'] });", 'A label has few values'],
  [service, inMethod('await a.transaction(() => { void b(); });'), 'What is not awaited'],
  [repository, inMethod('query.where(`id = ${id}`);'), 'put into a condition'],
  [service, inMethod("return process.env['A'];"), 'Only src/config reads'],
  [service, 'const { env } = process;', 'Only src/config reads'],
  [service, "import { env } from 'node:process';", 'Only src/config reads'],
  [controller, sse('@Sse()'), 'An open stream'],
  [controller, sse('@Probe() @Sse() @QueuedRead()'), 'An open stream'],
  [controller, `@QueuedRead() ${sse('@Probe() @Sse()')}`, 'An open stream'],
  [controller, "import { RawBodyRequest } from '@nestjs/common';", 'rawBody would be empty'],
  ['src/sales/x.ts', inMethod("return readFileSync('a');"), 'It stops every request'],
  ['src/sales/x.ts', inMethod('return day.getDay();'), 'the time zone of the machine'],
  [repository, inMethod('return Date.parse(text);'), 'A day is text'],
  [service, inMethod("return fs.readFileSync('a');"), 'It stops every request'],
  [service, "const A = 'SELECT a FROM b';", 'SQL belongs into the repository'],
  [repository, inMethod('return `SELECT a FROM b WHERE c = ${d}`;'), 'may be SQL itself'],
  ['src/sales/x.dto.ts', 'export class XDto { a!: string; }', 'never reaches the handler'],
  ['src/sales/x.dto.ts', 'export class XDto { @IsInt() a!: number; }', 'has no bounds'],
  ['migrations/1-x.ts', 'const A = `ALTER TABLE a ADD b double precision`;', 'Money is exact'],
  ['migrations/1-x.ts', 'export class X { async down(): Promise<void> {} }', 'can be undone'],
];

test('each rule is seen when it is broken', () => {
  const { found, messages } = lint(BREACHES.map(([path, text]) => ({ path, text })));
  const seen = BREACHES.map(([path, text, message], index) => {
    const isSeen = found[index]!.some((each) => each.includes(message));
    return isSeen ? [path, text, message] : [path, text, found[index]];
  });
  expect(seen).toEqual(BREACHES);
  const unbroken = messages.filter((message) => !found.flat().includes(message));
  expect(unbroken).toEqual([]);
}, 120_000);

test('each file of src follows the rules of its role, whatever it is called', () => {
  const FORBIDDEN: Readonly<Record<string, string>> = {
    controller: './a.statements.js',
    commands: './a.repository.js',
    service: 'express',
    repository: './a.dto.js',
    statements: './a.dto.js',
    dto: './a.service.js',
  };
  const role = /\.(controller|commands?|services?|repository|repositories|statements?|dtos?)\.ts$/;
  const texts = [...readSources(root, 'src').keys()].flatMap((path) => {
    const [, name] = path.startsWith('src/testing/') ? [] : (role.exec(path) ?? []);
    return name ? [{ path, text: `import { a } from '${FORBIDDEN[name] ?? name}';\na();` }] : [];
  });
  expect(texts.length).toBeGreaterThan(40);
  const { found } = lint(texts);
  const unruled = texts.filter((_text, index) => found[index]!.length === 0);
  expect(unruled.map(({ path }) => path)).toEqual([]);
}, 120_000);
