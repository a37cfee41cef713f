import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readSources } from './architecture.js';
import { keptFolder } from './kept-folder.js';

/** A file of a page: its whole text, or a diff of some of its lines. */
interface ShownFile {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

const HEADING = /^#+ (?:Edit: )?`([^`]+)`$/;

/** The part of a page below a heading of the second level. */
export function sectionOf(page: string, title: string): string {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (section === undefined) throw new Error(`the page has no section "${title}"`);
  return section;
}

/** The code blocks below headings that are a path, or `Edit:` and a path. */
export function shownFiles(page: string): ShownFile[] {
  const shown: ShownFile[] = [];
  let path: string | undefined;
  for (const [part, language, text] of page.matchAll(/^#+ .*$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (language === undefined) path = HEADING.exec(part)?.[1];
    else if (path !== undefined) shown.push({ path, language, text: text! });
  }
  return shown;
}

/** Copies the project and applies the files of a page to the copy. Throws where an edit does not fit. */
export function copyWith(root: string, shown: readonly ShownFile[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'sales-upload-extending-'));
  try {
    const copied = ['src', 'migrations', 'test/support', 'test/contract', 'docs', 'tsconfig.json', 'package.json'];
    for (const name of [...copied, 'CHANGELOG.md', '.env.example']) {
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const file of shown) apply(file, copy);
    return copy;
  } catch (error) {
    rmSync(copy, { recursive: true });
    throw error;
  }
}

function apply({ path, language, text }: ShownFile, copy: string): void {
  const file = join(copy, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, language === 'diff' ? edited(readFileSync(file, 'utf8'), text, path) : text);
}

/** Applies a diff, unless the project has its new lines already. Throws unless its old lines are found exactly once. */
function edited(text: string, diff: string, path: string): string {
  const lines = diff.trimEnd().split('\n');
  const added = lines.filter((line) => line.startsWith('+'));
  if (added.every((line) => text.includes(line.slice(1)))) return text;
  const side = (mark: string): string => {
    const kept = lines.filter((line) => line === '' || line.startsWith(' ') || line.startsWith(mark));
    return kept.map((line) => `${line.slice(1)}\n`).join('');
  };
  const parts = text.split(side('-'));
  if (parts.length !== 2) throw new Error(`${path} has these lines ${parts.length - 1} times:\n${side('-')}`);
  return parts.join(side('+'));
}

/** Compiles the sources of a copy and the files given, unless the same compiled before; returns the compiler's errors. */
export async function compileCopy(root: string, copy: string, files: readonly string[]): Promise<string> {
  const project = {
    extends: './tsconfig.json',
    compilerOptions: { noEmit: true, incremental: false },
    include: ['src', 'migrations', ...files],
  };
  writeFileSync(join(copy, 'tsconfig.extended.json'), JSON.stringify(project));
  const sources = ['src', 'migrations', 'test'].map((folder) => [...readSources(copy, folder)]);
  const settings = ['tsconfig.json', 'package.json'].map((name) => readFileSync(join(copy, name), 'utf8'));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const compile = async (): Promise<void> => {
    const compiler = spawn(process.execPath, [tsc, '-p', 'tsconfig.extended.json'], { cwd: copy });
    const [output, [status]] = await Promise.all([text(compiler.stdout), once(compiler, 'close')]);
    if (status !== 0 || output !== '') throw new Error(output || `tsc ended with ${status}`);
  };
  return keptFolder('compiled-copy', [project, settings, sources], compile).then(
    () => '',
    (error: unknown) => (error as Error).message,
  );
}
