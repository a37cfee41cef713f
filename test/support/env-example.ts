import '../../src/app.module.js'; // the features register their settings
import { defaultSettings } from '../../src/config/feature-settings.js';
import { readSources } from './architecture.js';

/** What `.env.example` must hold: every setting of the service and its features, with its doc comment and its default. */
export function envExampleOf(root: string): string {
  const sources = [...readSources(root, 'src')].filter(([path]) => path.endsWith('config.ts')).sort();
  const [platform, features] = [true, false].map((isPlatform) =>
    sources.filter(([path]) => path.startsWith('src/config/') === isPlatform).map(([, text]) => text),
  );
  const source = [...platform!, ...features!].join('\n');
  const settings = [...source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:@[\s\S]*?)?readonly ([A-Z_]+)\b/g)];
  const blocks = settings.map(([, comment, name]) => `# ${textOf(comment!)}\n${name}=${defaultSettings()[name!]}\n`);
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
