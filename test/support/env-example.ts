import { AppConfig } from '../../src/config/app-config.js';

/** What `.env.example` must hold: every setting of the source of `AppConfig`, with its doc comment and its default. */
export function envExampleOf(source: string): string {
  const defaults = new Map(Object.entries(new AppConfig()) as [string, string | number | boolean][]);
  const settings = [...source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:@[\s\S]*?)?readonly ([A-Z_]+)\b/g)];
  const blocks = settings.map(([, comment, name]) => `# ${textOf(comment!)}\n${name}=${defaults.get(name!)}\n`);
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
