import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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
  `@Controller() export class X { @Get() read(${parameter}): void {} }`;
const inMethod = (statement: string): string => `export class X { async run() { ${statement} } }`;
const service = 'src/sales/x.service.ts';
const repository = 'src/sales/x.repository.ts';
const controller = 'src/sales/x.controller.ts';

/** Each rule of eslint.config.mjs that is our own, broken once; the last part is in its message. */
const BREACHES: readonly [path: string, text: string, message: string][] = [
  ['src/http/x.ts', "import { a } from '../sales/a.js';", 'src/http may import from'],
  ['src/users/x.ts', "import { a } from '../auth/a.service.js';", 'src/users may import from'],
  ['src/sales/x.ts', "import { a } from '../testing/a.js';", 'src/sales may import from'],
  ['src/sales/x.ts', "import { a } from '../users/a.entity.js';", 'From another feature'],
  [controller, "import { a } from './a.repository.js';", 'calls its service'],
  [controller, "import { a } from './a.statements.js';", 'calls its service'],
  ['src/sales/x.commands.ts', "import { a } from 'typeorm';", 'calls its service'],
  [service, "import { a } from 'express';", 'leaves HTTP to the controller'],
  [repository, "import { a } from './a.errors.js';", 'leaves decisions to the service'],
  ['src/sales/x.statements.ts', "import { a } from './a.dto.js';", 'leaves decisions'],
  ['src/sales/x.dto.ts', "import { a } from './a.entity.js';", 'describes only what is sent'],
  [service, inMethod("console.log('a');"), 'Unexpected console statement'],
  [service, inMethod('this.logger.warn(`of ${password}`);'), 'A secret never'],
  [controller, route("@Body('a') a: string"), 'A part is not validated'],
  [service, "import type { ADto } from './a.dto.js';", 'loses its validation'],
  [service, "import { type ADto } from './a.dto.js';", 'loses its validation'],
  [controller, '@Controller() export class X { @Post() send() {} }', 'A route states'],
  [controller, route('@Query() a: { b: string }'), 'declared by a class'],
  [controller, route("@Query('page') page: number"), 'A part is not validated'],
  [controller, route('@Res() a: Response'), 'Nest would send nothing'],
  [service, inMethod('return new Date();'), 'The day depends on'],
  [service, inMethod('return Date.now();'), 'Tests set the clock'],
  ['src/sales/x.dto.ts', 'export class A extends PartialType(B) {}', 'null would pass'],
  [service, 'const a = b.reduce((sum, { amount }) => sum + amount, 0);', 'adds decimals inexactly'],
  [service, 'const a = b.reduce((sum, c) => sum + c.amount, 0);', 'adds decimals inexactly'],
  ['src/sales/x.listener.ts', inMethod('return Date.now();'), 'Tests set the clock'],
  [service, inMethod("return process.env['A'];"), 'Only src/config reads'],
  [service, "import { env } from 'node:process';", 'Only src/config reads'],
  ['src/sales/x.ts', inMethod('return day.getDay();'), 'the time zone of the machine'],
  [service, "const A = 'SELECT a FROM b';", 'SQL belongs into the repository'],
  [repository, inMethod('return `SELECT a FROM b WHERE c = ${d}`;'), 'may be SQL itself'],
  ['src/sales/x.dto.ts', 'export class XDto { a!: string; }', 'never reaches the handler'],
  ['src/sales/x.dto.ts', 'export class XDto { @IsInt() a!: number; }', 'has no bounds'],
  ['migrations/1-x.ts', 'const A = `ALTER TABLE a ADD b double precision`;', 'Money is exact'],
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
