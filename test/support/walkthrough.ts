import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a page shows of a file: all of it, or some of its lines with those to add (+) and to take out (-). */
interface Shown {
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

const HEADING = /^#+ (?:Edit: )?`([^`]+)`$/;

/** The code blocks below headings that are a path, or `Edit:` and a path. */
export function shownFiles(page: string): Shown[] {
  const shown: Shown[] = [];
  let path: string | undefined;
  for (const [part, language, text] of page.matchAll(/^#+ .*$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (language === undefined) path = HEADING.exec(part)?.[1];
    else if (path !== undefined) shown.push({ path, language, text: text! });
  }
  return shown;
}

/** A copy of the project in a folder of its own, with what the page shows done to it. Throws where that cannot be done. */
export function copyWith(root: string, shown: readonly Shown[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'sales-upload-extending-'));
  try {
    for (const name of ['src', 'migrations', 'test/support', 'docs/roles.sql', 'tsconfig.json', 'package.json']) {
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

function apply({ path, language, text }: Shown, copy: string): void {
  const file = join(copy, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, language === 'diff' ? edited(readFileSync(file, 'utf8'), text, path) : text);
}

/** The text with the lines marked + in place of those marked -. Throws unless the lines are found, once. */
function edited(text: string, diff: string, path: string): string {
  const lines = diff.trimEnd().split('\n');
  const side = (mark: string): string => {
    const kept = lines.filter((line) => line.startsWith(' ') || line.startsWith(mark));
    return kept.map((line) => `${line.slice(1)}\n`).join('');
  };
  const parts = text.split(side('-'));
  if (parts.length !== 2) throw new Error(`${path} has these lines ${parts.length - 1} times:\n${side('-')}`);
  return parts.join(side('+'));
}
