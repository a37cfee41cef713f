import { configWith } from '../../src/config/config.js';
import { readSources } from '../extending/architecture.js';

const SETTING =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:@(?:(?!\/\*\*)[\s\S])*?)?readonly ([A-Z_]+)\b/g;

/** What `.env.example` must hold: every setting with its doc comment and its default. */
export function envExampleOf(root: string): string {
  const source = [...readSources(root, 'src/config')].map(([, text]) => text).join('\n');
  const comments = new Map(
    [...source.matchAll(SETTING)].map(([, comment, name]) => [name, textOf(comment!)]),
  );
  const blocks = Object.entries(configWith())
    .filter(([name]) => comments.has(name))
    .map(([name, initial]) => `# ${comments.get(name)}\n${name}=${initial}\n`);
  return [
    `# Every setting with its default. Copy to .env and change what you need; the real environment wins.\n`,
    ...blocks,
  ].join('\n');
}

function textOf(comment: string): string {
  const words = comment.replace(/^\s*\* ?/gm, '').trim();
  return words
    .split('\n')
    .map((line) => line.trim())
    .join('\n# ');
}
