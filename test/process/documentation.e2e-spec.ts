import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../support/command-line.js';
import { ServiceProcess } from '../support/service-process.js';
import { examplesOf, matching, type Example } from '../extending/documentation.js';

const root = join(__dirname, '../..');
const hasTools = ['bash', 'curl', 'sed'].every(
  (tool) => spawnSync(tool, ['--version']).status === 0,
);

/** Runs the examples in one shell, as somebody who copies them would, and tells what each printed. */
function run(examples: readonly Example[], folder: string, url: string): string[] {
  const script = examples
    .map(({ command }) => `${command}\nprintf '\\036'`)
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll(
      'npm run --silent admin --',
      `"${process.execPath}" "${join(root, 'dist/src/cli.js')}"`,
    );
  const env = { ...process.env, DATA_DIR: join(folder, '.data'), DATABASE_URL: '' };
  return execFileSync('bash', ['-e', '-c', script], { cwd: folder, env, encoding: 'utf8' }).split(
    '\x1e',
  );
}

test('README.md uploads yesterday alone: it overwrites no day of docs/integrating.md', () => {
  const [first, second] = ['README.md', 'docs/integrating.md'].map((page) =>
    examplesOf(join(root, page)).flatMap(
      ({ command }) => command.match(/"?date"?:\s*"[\d-]+"/g) ?? [],
    ),
  );
  expect(first).toEqual([]);
  expect(second!.length).toBeGreaterThan(0);
});

describe('In a fresh folder', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'sales-upload-docs-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('a command creates the embedded database only when asked to', async () => {
    const dataDir = join(folder, '.data');
    const add = ['restaurant', 'add', '5', '--name', 'Five'];
    const env = { DATABASE_URL: '', DATA_DIR: dataDir };
    expect(await runProgram(add, { env })).toEqual({
      status: 1,
      stdout: '',
      stderr:
        `DATABASE_URL is not set and ${dataDir} holds no embedded database: set DATABASE_URL to the service's database, ` +
        'or give --embedded to create one there\n',
    });
    expect(existsSync(dataDir)).toBe(false);
    expect(await runProgram([...add, '--embedded'], { env })).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(existsSync(join(dataDir, 'jwt-secret'))).toBe(false); // a command signs nothing
  });

  (hasTools ? test : test.skip)(
    'the examples of README.md and docs/integrating.md run on the service, and answer as shown',
    async () => {
      const fresh = { DATA_DIR: join(folder, '.data'), JWT_SECRET: '' }; // as npm start in a new folder
      const service = await ServiceProcess.start(fresh);
      try {
        for (const page of ['README.md', 'docs/integrating.md']) {
          const examples = examplesOf(join(root, page));
          const outputs = run(examples, folder, service.url);
          expect(examples.length).toBeGreaterThan(3);
          examples.forEach(({ command, answer }, index) => {
            if (answer === undefined) return;
            const seen: unknown = JSON.parse(outputs[index]!);
            expect({ command, answer: seen }).toEqual({
              command,
              answer: matching(JSON.parse(answer)),
            });
          });
        }
      } finally {
        await service.stop();
      }
    },
  );
});
