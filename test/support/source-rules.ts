import { basename, dirname } from 'node:path';
import ts from 'typescript';
import type { Sources } from './architecture.js';

const MAX_LINES = 200;
const MAX_FILES_IN_FOLDER = 15;

/** Folders that serve every feature, and so name nothing that belongs to one. */
const PLATFORM = /^src\/(config|metrics|logging|http|database|embedded-postgres|health|admin)\//;
const BUSINESS_WORD = /^(restaurant|upload|login|token)s?$/i;

/** [what is wrong and its remedy, the files concerned, what is looked for]. */
const TEXT_RULES: readonly (readonly [string, RegExp, RegExp])[] = [
  ['a DTO imported as a type loses its validation; write import { XDto }', /./, /\bimport type \{[^}]*Dto\b/],
  ['a DTO imported as a type loses its validation; write import { XDto }', /./, /\bimport \{[^}]*\btype \w+Dto\b/],
  ['a default export; give it a name', /./, /\bexport default\b/],
  ['a cast through unknown; narrow the value with a check instead', /./, /\bas unknown as\b/],
  ['the environment is read here; declare a setting in x.config.ts instead', /^(?!src\/config\/)/, /\bprocess\.env\b/],
  ['console is used; write through new Logger() of @nestjs/common', /^src\//, /\bconsole\./],
  ['the day depends on where the restaurants are; take it from BusinessCalendar', /^src\//, /\bnew Date\(\)/],
  [
    'an interval keeps the process from ending; call unref(), clear it, or add a task to Housekeeping',
    /^src\//,
    /^(?![\s\S]*(?:\.unref\(\)|\bclearInterval\())[\s\S]*\bsetInterval\(/,
  ],
  ['a page by its number; take the rows after a key, with AfterField', /^src\//, /\bOFFSET (?!0\b)[$\d]|\bskip: /],
  [
    'SQL beside decisions; move it to the repository',
    /\.(service|controller|commands)\.ts$/,
    /\bSELECT\b[^;]* FROM\b|\bINSERT INTO\b|\bDELETE FROM\b|\bUPDATE \w+ SET\b/,
  ],
  ['work is left to do; finish it or take the remark out', /./, /\b(TODO|FIXME|XXX)\b/],
];

/** Every breach of a rule that one file can show, a line each with its remedy. */
export function textBreaches(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    const found = TEXT_RULES.filter(([, files, wrong]) => files.test(file) && wrong.test(text)).map(([what]) => what);
    const lines = text.split('\n').length - 1;
    if (lines > MAX_LINES) found.push(`${lines} lines, and ${MAX_LINES} are the most; split it by what it does`);
    if (!/^[a-z0-9]+([-.][a-z0-9]+)*\.ts$/.test(basename(file))) found.push('its name is not in kebab-case; rename it');
    if (!hasClassOfName(file, text)) found.push('it exports no class of its name; rename the file or the class');
    if (/\/(shared|common|utils|helpers|types)\//.test(file))
      found.push('its folder is not named after what is in it; move it to the folder that uses it');
    return [...new Set(found)].map((what) => `${file}: ${what}`);
  });
}

/** `day-notes.service.ts` exports `DayNotesService`. */
function hasClassOfName(file: string, text: string): boolean {
  const name = /\/([a-z0-9-]+\.(?:controller|service|repository|module|commands))\.ts$/.exec(file)?.[1];
  if (name === undefined || !text.includes('export class')) return true;
  return new RegExp(`\\bexport class ${name.replace(/[-.]/g, '')}\\b`, 'i').test(text);
}

/** Folders with too many files beside each other. */
export function crowdedFolders(sources: Sources): string[] {
  const counts = new Map<string, number>();
  for (const file of sources.keys()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MAX_FILES_IN_FOLDER)
    .map(([folder, count]) => `${folder}: ${count} files; make a folder per capability, or join files`);
}

/** Names of a feature's business in the platform's identifiers. */
export function businessWords(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    if (!PLATFORM.test(file)) return [];
    const words = tokensOf(text)
      .filter(({ kind }) => kind === ts.SyntaxKind.Identifier)
      .filter(({ value }) => value.split(/(?=[A-Z])|[^A-Za-z]+/).some((part) => BUSINESS_WORD.test(part)))
      .map(({ value }) => value);
    return [...new Set(words)].map(
      (word) => `${file}: ${word}; the platform knows no feature, so let the feature say it`,
    );
  });
}

/** Prepared statements are told apart by their names alone. */
export function duplicateStatements(sources: Sources): string[] {
  const owners = new Map<string, string>();
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(/\bname: ['`]([^'`]+)['`],\s*text\b|\bdeleteBatch\('(\w+)'/g)].flatMap(([, own, table]) => {
      const name = own ?? `delete_old_${table}`;
      const owner = owners.get(name);
      owners.set(name, file);
      return owner === undefined ? [] : [`${file}: the statement ${name} is also in ${owner}; give it another name`];
    }),
  );
}

/** How many words of comment there are in 100 lines, and where the most are. */
export function wordiness(sources: Sources): { words: number; byFolder: string } {
  const folders = new Map<string, { words: number; lines: number }>();
  for (const [file, text] of sources) {
    for (const folder of ['src', file.split('/').slice(0, -1).slice(0, 2).join('/')]) {
      const total = folders.get(folder) ?? { words: 0, lines: 0 };
      folders.set(folder, {
        words: total.words + commentWords(text),
        lines: total.lines + text.split('\n').length - 1,
      });
    }
  }
  const densities = [...folders].map(([folder, { words, lines }]) => ({
    folder,
    words: Math.round((words * 100) / lines),
  }));
  const most = densities.filter(({ folder }) => folder !== 'src').sort((one, other) => other.words - one.words);
  const byFolder = most.map(({ folder, words }) => `${folder} (${words})`).join(', ');
  return { words: densities.find(({ folder }) => folder === 'src')?.words ?? 0, byFolder };
}

function commentWords(text: string): number {
  const comments = tokensOf(text).filter(
    ({ kind }) => kind === ts.SyntaxKind.SingleLineCommentTrivia || kind === ts.SyntaxKind.MultiLineCommentTrivia,
  );
  return comments.flatMap(({ value }) => value.split(/\s+/)).filter((word) => /[A-Za-z0-9]/.test(word)).length;
}

/** The parser's leaves, and the comments before them: the scanner alone mistakes what follows a template's `}`. */
function tokensOf(text: string): { kind: ts.SyntaxKind; value: string }[] {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true);
  const found: { kind: ts.SyntaxKind; value: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const children = node.getChildren(source);
    children.forEach(visit);
    if (children.length > 0) return;
    for (const { kind, pos, end } of commentsBefore(text, node)) found.push({ kind, value: text.slice(pos, end) });
    found.push({ kind: node.kind, value: node.getText(source) });
  };
  visit(source);
  return found;
}

function commentsBefore(text: string, node: ts.Node): readonly ts.CommentRange[] {
  const leading = ts.getLeadingCommentRanges(text, node.pos) ?? [];
  const trailing = node.pos === 0 ? [] : (ts.getTrailingCommentRanges(text, node.pos) ?? []);
  return [...trailing, ...leading];
}
