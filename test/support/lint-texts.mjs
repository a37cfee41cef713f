// Lints texts as if they stood at the given paths: reads a JSON array of { path, text }, writes what was found in each,
// and the messages of all our own rules.
import { text } from 'node:stream/consumers';
import { ESLint } from 'eslint';

process.env.LINT_TYPES = 'off';
const { default: config } = await import('../../eslint.config.mjs');
const eslint = new ESLint();
const found = [];
for (const { path, text: source } of JSON.parse(await text(process.stdin))) {
  const [{ messages }] = await eslint.lintText(source, { filePath: path });
  found.push(messages.map(({ message }) => message));
}
const ours = config.flatMap(({ rules }) => rules?.['no-restricted-syntax']?.slice(1) ?? []);
const messages = [...new Set(ours.map(({ message }) => message))];
process.stdout.write(JSON.stringify({ found, messages }));
