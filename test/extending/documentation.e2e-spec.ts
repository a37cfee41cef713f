import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examplesOf, matching, type Example } from '../support/documentation.js';

const root = join(__dirname, '../..');
const hasTools = ['bash', 'curl', 'sed'].every((tool) => spawnSync(tool, ['--version']).status === 0);

/** What the examples are written for: `npm start` in a fresh folder. */
async function startFresh(folder: string): Promise<{ service: ChildProcess; url: string }> {
  const inFolder = { PORT: '0', DATA_DIR: join(folder, '.data'), DATABASE_URL: '', NODE_ENV: '' };
  const env = { ...process.env, ...inFolder, RESPONSE_TIMEOUT_MS: '120000' };
  const service = spawn(process.execPath, [join(root, 'dist/src/main.js')], { cwd: folder, env });
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (url !== undefined) resolve({ service, url });
    };
    service.stdout.on('data', read);
    service.stderr.on('data', read);
    service.on('exit', () => reject(new Error(`the service did not start:\n${output}`)));
  });
}

/** Runs the examples in one shell, as somebody who copies them would, and tells what each printed. */
function run(examples: readonly Example[], folder: string, url: string): string[] {
  const script = examples
    .map(({ command }) => `${command}\nprintf '\\036'`)
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll('npm run --silent admin --', `"${process.execPath}" "${join(root, 'dist/src/cli.js')}"`);
  const env = { ...process.env, DATA_DIR: join(folder, '.data'), DATABASE_URL: '' };
  return execFileSync('bash', ['-e', '-c', script], { cwd: folder, env, encoding: 'utf8' }).split('\x1e');
}

test('README.md and docs/integrating.md upload different days: whoever follows both overwrites nothing', () => {
  const [first, second] = ['README.md', 'docs/integrating.md'].map((page) => {
    return examplesOf(join(root, page)).flatMap(({ command }) => command.match(/"?date"?:\s*"[\d-]+"/g) ?? []);
  });
  expect(first!.length).toBeGreaterThan(0);
  expect(second!.filter((date) => first!.some((other) => other.slice(-11) === date.slice(-11)))).toEqual([]);
});

(hasTools ? test : test.skip).each(['README.md', 'docs/integrating.md'])(
  'The examples of %s run on a fresh service, in their order, and answer as shown',
  async (page) => {
    const folder = mkdtempSync(join(tmpdir(), 'sales-upload-docs-'));
    const { service, url } = await startFresh(folder);
    try {
      const examples = examplesOf(join(root, page));
      const outputs = run(examples, folder, url);
      expect(examples.length).toBeGreaterThan(3);
      examples.forEach(({ command, answer }, index) => {
        if (answer === undefined) return;
        const seen: unknown = JSON.parse(outputs[index]!);
        expect({ command, answer: seen }).toEqual({ command, answer: matching(JSON.parse(answer)) });
      });
    } finally {
      const gone = new Promise((resolve) => service.once('exit', resolve));
      service.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
