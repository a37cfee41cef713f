import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeControls, Table } from '../../src/admin/command-result.js';
import { writeWhole } from '../../src/admin/output-file.js';
import { AuditService } from '../../src/audit/audit.service.js';
import { CommandLine } from '../support/command-line.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

const ESC = '\u001b[2J\u001b]0;owned\u0007';
const RIGHT_TO_LEFT = '\u202e';
/** What a terminal must never receive, 8-bit CSI, line separators and invisible format characters included. */
const DANGEROUS = /[^\P{Cc}\n]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

let service: TestApp;
let admin: CommandLine;
beforeAll(async () => {
  service = await createTestApp();
  admin = new CommandLine(service.app);
});
afterAll(() => service.close());

describe('What reaches the terminal holds no control characters', () => {
  const hostile = `a${ESC}b\u009b31m${RIGHT_TO_LEFT}c\u2028d\ne`;

  beforeAll(async () => {
    await service.database.query(`INSERT INTO users (username, password_hash) VALUES ($1, 'x')`, [hostile]);
    await service.database.query('INSERT INTO restaurants (id, name) VALUES (77, $1)', [hostile]);
    const actor = 'administrator:root';
    const event = { actor, action: 'x', subject: hostile, outcome: 'success', details: { argv: [hostile] } } as const;
    await service.app.get(AuditService).record(event);
  });

  test.each([[], ['--json']])('names and audit details in a list %j', async (...options) => {
    for (const list of ['user', 'restaurant', 'audit']) {
      const { status, stdout } = await admin.run([list, 'list', ...options]);
      expect([status, DANGEROUS.exec(stdout)]).toEqual([0, null]);
      expect(stdout).toContain('a\\u001b[2J\\u001b]0;owned\\u0007b\\u009b31m\\u202ec\\u2028d');
      expect(stdout).not.toMatch(/^e/m); // no line of its own
      if (options.length > 0) expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(hostile));
    }
  });

  test.each([
    [1, ['user', 'disable', `no ${hostile}`]],
    [2, ['user', hostile]],
    [2, ['restaurant', 'add', hostile, '--name', 'x']],
  ])('errors, exit %i', async (exitStatus, args) => {
    const { status, stdout, stderr } = await admin.run(args);
    expect([status, stdout, DANGEROUS.exec(stderr)]).toEqual([exitStatus, '', null]);
    if (exitStatus === 1) expect(stderr).toMatch(/^there is no user "no a\\u001b.*\\u000ae"\n$/);
  });

  test('but every script and emoji', () => {
    const names = ['Café 海南', 'می‌خواهم', '👩‍🍳', 'O\u2019Neill', 'back\\slash', 'two\nlines'];
    for (const name of names) expect(escapeControls(name)).toBe(name);
    expect(new Table(['NAME'], [['two\nlines']]).toString()).toBe('NAME\ntwo\\u000alines');
  });
});

describe('An exported file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'output-file-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  async function* pieces(between = (): void => undefined) {
    yield 'new ';
    between();
    await Promise.resolve();
    yield 'text';
  }

  test('is for its owner alone; one that was there keeps its mode', async () => {
    const [fresh, old] = [join(folder, 'fresh'), join(folder, 'old')];
    writeFileSync(old, 'old');
    chmodSync(old, 0o640);
    await writeWhole(fresh, pieces());
    await writeWhole(old, pieces());
    expect([fresh, old].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o600, 0o640]);
    expect(readFileSync(old, 'utf8')).toBe('new text');
  });

  test.each(['a file', 'nothing'])('is not written through a symbolic link to %s', async (target) => {
    const [link, victim] = [join(folder, 'link'), join(folder, 'victim')];
    if (target === 'a file') writeFileSync(victim, 'precious');
    symlinkSync(victim, link);
    await expect(writeWhole(link, pieces())).rejects.toThrow(`${link} is a symbolic link`);
    expect(readdirSync(folder)).toEqual(target === 'a file' ? ['link', 'victim'] : ['link']);
  });

  test('takes the place of a link that appears while it is written', async () => {
    const [path, victim] = [join(folder, 'path'), join(folder, 'victim')];
    writeFileSync(victim, 'precious');
    await writeWhole(
      path,
      pieces(() => symlinkSync(victim, path)),
    );
    expect([readFileSync(victim, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['precious', 'new text']);
    expect([lstatSync(path).isFile(), lstatSync(path).mode & 0o777]).toEqual([true, 0o600]);
  });
});
