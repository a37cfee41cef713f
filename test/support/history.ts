import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Is false for a shallow clone and for an unpacked archive. */
export const hasHistory =
  spawnSync('git', ['rev-parse', '--is-shallow-repository'], { cwd: root, encoding: 'utf8' }).stdout === 'false\n';

function git(...args: string[]): Buffer {
  return execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 28 });
}

/** The commits in which a text or a folder changed, oldest first. */
export function commitsOf(...args: string[]): string[] {
  return git('log', '--reverse', '--format=%h', ...args)
    .toString()
    .split('\n')
    .filter(Boolean);
}

/** The versions of a folder of which files were changed or deleted since, apart from its index.ts; oldest first. */
export function changedVersionsOf(folder: string): string[] {
  const since = ['--diff-filter=MD', '--name-only'];
  return commitsOf('--', folder).filter(
    (commit) => git('diff', ...since, commit, '--', folder, `:!${folder}/index.ts`).length > 0,
  );
}

/** Copies what a commit holds in these paths to a new folder. */
export function unpack(commit: string, ...paths: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), `sales-upload-${commit}-`));
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', '--format=tar', commit, ...paths) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Copies the latest release: the commit that gave CHANGELOG.md the heading of its version. */
export function unpackRelease(): { version: string; folder: string } {
  const version = /^## (\d+\.\d+\.\d+)/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))![1]!;
  const [commit] = commitsOf(`-S\n## ${version}`, '--', 'CHANGELOG.md');
  return { version, folder: unpack(commit!, 'src', 'migrations', 'tsconfig.json', 'package.json') };
}
